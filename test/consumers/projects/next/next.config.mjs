import { join } from 'node:path'

// The packages are installed two folders above.
const root = join(import.meta.dirname, '../..')

export default { outputFileTracingRoot: root, turbopack: { root } }
