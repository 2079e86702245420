import type { fetchErrorOf as OnNode } from '../../http/fetch-errors.ts'
import { lostResponseOf } from '../../http/transport-errors.ts'

/** Browsers and workers do not tell whether a connection came about, so every request may have been sent. */
export const fetchErrorOf: typeof OnNode = lostResponseOf
