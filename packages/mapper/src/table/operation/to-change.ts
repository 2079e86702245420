import { InputError } from '@rowkey/odata'
import type { UnionMember } from '../../model/entity-of.ts'
import type { EntityChange } from '../write/entity-change.ts'
import type { EntityChanges } from '../write/entity-changes.ts'
import type {
  DeleteOperation,
  RetrieveOperation,
  WriteKind,
  WriteOperation,
} from './entity-operation.ts'

/** Any operation, of any entity. */
export type AnyOperation<Entity extends object = object> =
  | WriteOperation<WriteKind, Entity, UnionMember | undefined>
  | DeleteOperation<object, UnionMember | undefined>
  | RetrieveOperation<object, UnionMember | undefined>

/**
 * The change that an operation makes with its entity as it is now, as a batch sends it: a merge of nothing
 * too, so that the batch hangs on its ETag.
 *
 * @param operation - what is to be done
 * @param changes - the table
 */
export function toChange<Entity extends object>(
  operation: AnyOperation<Entity>,
  changes: EntityChanges<Entity>,
): EntityChange<Entity> {
  switch (operation.kind) {
    case 'insert':
      return changes.insert(operation.entity)
    case 'insertOrMerge':
      return changes.insertOrMerge(operation.entity)
    case 'insertOrReplace':
      return changes.insertOrReplace(operation.entity)
    case 'merge':
      return changes.mergeAlways(operation.entity, operation.etag)
    case 'replace':
      return changes.replace(operation.entity, operation.etag)
    case 'delete':
      return changes.delete(operation.target, operation.etag)
    case 'retrieve':
      return changes.retrieve(operation.target)
  }
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
 * Rejects a value that is not an operation, or that has a type, which only the table of a union knows.
 *
 * @param given - the value
 * @param where - the call, for the message
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkOperation(given: unknown, where: string): asserts given is AnyOperation {
  const { kind, type }: { readonly kind?: unknown; readonly type?: unknown } = Object(given)
  if (KINDS.has(kind)) {
    if (type === undefined) return
    throw new InputError({
      code: 'InvalidOptionValue',
      message: `${where}: only the table of a union takes the type of an entity. Leave it out: Operation.${kind}(…).`,
    })
  }
  throw new InputError({
    code: 'InvalidOptionValue',
    message: `${where} takes an operation, such as Operation.insert(entity), or a list of operations.`,
  })
}
