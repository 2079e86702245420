import type { debugLogger as OnNode } from '../../observe/debug-logger.ts'

/** Returns no logger: browsers and workers have no variable `DEBUG`. */
export const debugLogger: typeof OnNode = () => undefined
