/** Kratos compatibility: Go's zero time, where a time is not known. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'
