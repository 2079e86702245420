import type { diagnosticsListener as OnNode } from '../../observe/diagnostics-listener.ts'

/** There are no diagnostics channels outside Node, so nobody listens to any. */
export const diagnosticsListener: typeof OnNode = () => undefined
