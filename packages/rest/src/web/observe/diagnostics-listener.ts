import type { diagnosticsListener as OnNode } from '../../observe/diagnostics-listener.ts'

/** Returns no listener: diagnostics channels exist only on Node. */
export const diagnosticsListener: typeof OnNode = () => undefined
