import { invalidOption } from '@rowkey/odata'
import type { BulkKind, BulkOperation } from '../bulk/bulk-target.ts'
import type { UnionMember } from '../model/entity-of.ts'
import type { TableParts } from '../rows/table-parts.ts'
import type { AnyOperation } from './operation.ts'

/** An operation as a table carries it out: a write, or a read. */
export interface CheckedOperation extends Omit<BulkOperation, 'kind'> {
  /** The method of a table or a batch that does the same. */
  readonly kind: BulkKind | 'retrieve'
}

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
 * Checks an operation value.
 *
 * @param given - the value
 * @param where - the call
 * @param assignType - fixes the type of an entity; absent where no operation may have one
 * @throws InputError with the code `InvalidOptionValue` for a value that is not an operation, and for one with a type, which only
 * the table of a union knows
 */
export function checkedOperation(
  given: unknown,
  where: string,
  assignType: TableParts<object>['assignType'],
): CheckedOperation {
  const operation: Partial<AnyOperation> = Object(given)
  const { kind, type } = operation
  if (!isKind(kind)) {
    throw invalidOption(
      `${where} needs an operation, such as Operation.insert(entity), or a list of operations.`,
    )
  }
  const { entity, target, etag }: GivenParts = operation
  const subject = (entity ?? target) as object // the change rejects anything else
  if (type !== undefined) assignGiven({ kind, type, subject }, where, assignType)
  return { kind, subject, etag }
}

/**
 * Fixes the type of an entity that the caller gave with it.
 *
 * @param given - the type and the entity
 * @param where - the call
 * @param assignType - fixes the type of an entity; absent where no operation may have one
 * @throws InputError with the code `InvalidOptionValue` where only the table of a union accepts a type
 */
export function assignGiven(
  { kind, type, subject }: { readonly kind: string; readonly type: UnionMember; subject: object },
  where: string,
  assignType: TableParts<object>['assignType'],
): void {
  if (assignType === undefined) {
    throw invalidOption(
      `${where}: only the table of a union accepts the type of an entity. Omit it: Operation.${kind}(…).`,
    )
  }
  assignType(type, subject)
}

/** The parts of operations of all kinds. */
interface GivenParts {
  readonly entity?: object
  readonly target?: object
  readonly etag?: string | undefined
}

function isKind(kind: unknown): kind is CheckedOperation['kind'] {
  return KINDS.has(kind)
}

/**
 * Checks an operation of a bulk writer.
 *
 * @param given - the value
 * @param where - the call
 * @param assignType - fixes the type of an entity; absent where no operation may have one
 * @throws InputError with the code `InvalidOptionValue` for a read, and for a value that is not an operation
 */
export function checkedWrite(
  given: unknown,
  where: string,
  assignType: TableParts<object>['assignType'],
): BulkOperation {
  const { kind, ...operation } = checkedOperation(given, where, assignType)
  if (kind !== 'retrieve') return { ...operation, kind }
  throw invalidOption(
    `${where} takes writes, and got a retrieve. Use getMany to read several entities.`,
  )
}
