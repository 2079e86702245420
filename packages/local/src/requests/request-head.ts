import type { HttpRequest } from '@rowkey/rest'

/** The parts of a request that say what it is about, but for what its body says. */
export type RequestHead = Pick<HttpRequest, 'headers' | 'method' | 'origin' | 'path' | 'query'>
