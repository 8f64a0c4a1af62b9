export function createCopies(maxEntries, maxBytes) {
    const byPath = new Map();
    let bytes = 0;
    function remove(path) {
        bytes -= byPath.get(path)?.size ?? 0;
        byPath.delete(path);
    }
    return {
        find(path) {
            const copy = byPath.get(path);
            if (!copy)
                return undefined;
            byPath.delete(path);
            byPath.set(path, copy);
            return copy;
        },
        put(path, copy) {
            remove(path);
            byPath.set(path, copy);
            bytes += copy.size;
            for (const oldest of byPath.keys()) {
                if (byPath.size <= maxEntries && bytes <= maxBytes)
                    return;
                remove(oldest);
            }
        },
    };
}
