import type { EdmValue } from '@rowkey/odata'

/** What a stored member may hold; `undefined` and `null` are not stored. */
export type StorableValue = EdmValue | null | undefined
