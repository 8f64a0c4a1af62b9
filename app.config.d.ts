export declare const name = "My App";
export declare const footer = "\u00A9 2024 My App";
/** For search engines. */
export declare const description = "My App: register, verify your email address, log in and see your dashboard.";
/** The same for single pages, by path. */
export declare const descriptions: {
    '/about': string;
    '/login': string;
    '/register': string;
};
/** Hue of buttons and links in degrees, as in `oklch()`. Every hue has the same contrast. */
export declare const accentHue = 218;
export declare const navigation: {
    to: string;
    label: string;
}[];
/** Linked from the footer: `[{ to: '/terms', label: 'Terms' }]`. A `to` may also be a URL. */
export declare const legal: readonly {
    to: string;
    label: string;
}[];
/** Besides the password. Codes to log in are the setting SIGN_IN_CODES. */
export declare const methods: {
    passkey: boolean;
    totp: boolean;
    lookup_secret: boolean;
};
/** Providers that the demo plays. Settings enable the real ones, and others: docs/providers.md. */
export declare const demoProviders: readonly {
    id: string;
    label: string;
}[];
/** The template of `user_jwt`. */
export declare const tokenTemplate = "my_app_jwt";
/** Roles that operators give to users. */
export declare const roles: readonly ['admin', 'editor'];
export type Role = (typeof roles)[number];
export declare const exportFile = "my-app-data.json";
/** JSON Schema of an account, in the order of the forms. */
export declare const traits: {
    email: {
        type: string;
        format: string;
        title: string;
        minLength: number;
        maxLength: number;
        'ory.sh/kratos': {
            credentials: {
                password: {
                    identifier: boolean;
                };
                passkey: {
                    display_name: boolean;
                };
                totp: {
                    account_name: boolean;
                };
            };
            verification: {
                via: string;
            };
            recovery: {
                via: string;
            };
        };
    };
    name: {
        type: string;
        title: string;
        maxLength: number;
    };
};
/** Registration asks for these. The others are on the profile page. */
export declare const requiredTraits: readonly (keyof typeof traits)[];
