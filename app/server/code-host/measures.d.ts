export declare const metrics: {
    readonly code_host_request_duration_seconds: {
        readonly type: 'histogram';
        readonly labels: readonly ["status"];
        readonly buckets: number[];
        readonly help: 'Calls of the code-hosting API';
    };
};
