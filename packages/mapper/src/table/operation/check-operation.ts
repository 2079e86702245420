import { invalidOption } from '@rowkey/odata'
import type { BulkOperation } from '../../bulk/bulk-target.ts'
import type { AnyOperation } from './operation.ts'

const KINDS: ReadonlySet<unknown> = new Set<AnyOperation['kind']>([
  'insert',
  'insertOrMerge',
  'insertOrReplace',
  'merge',
  'replace',
  'delete',
  'retrieve',
])

/**
 * Rejects a value that is not an operation, or that has a type, which only the table of a union knows.
 *
 * @param given - the value
 * @param where - the call
 * @throws InputError with the code `InvalidOptionValue`
 */
export function checkOperation(given: unknown, where: string): asserts given is AnyOperation {
  const { kind, type }: { readonly kind?: unknown; readonly type?: unknown } = Object(given)
  if (!KINDS.has(kind)) {
    throw invalidOption(
      `${where} needs an operation, such as Operation.insert(entity), or a list of operations.`,
    )
  }
  if (type === undefined) return
  throw invalidOption(
    `${where}: only the table of a union accepts the type of an entity. Omit it: Operation.${kind}(…).`,
  )
}

/**
 * Makes an operation of a bulk writer from an operation value.
 *
 * @param given - the value
 * @param where - the call
 * @throws InputError with the code `InvalidOptionValue` for a read, and for a value that is not an operation
 */
export function toBulkOperation(given: unknown, where: string): BulkOperation {
  checkOperation(given, where)
  if (given.kind === 'retrieve') {
    throw invalidOption(
      `${where} takes writes, and got a retrieve. Use getMany to read several entities.`,
    )
  }
  const { kind, etag } = given
  return { kind, subject: kind === 'delete' ? given.target : given.entity, etag }
}
