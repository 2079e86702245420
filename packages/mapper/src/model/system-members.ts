import { ModelError } from '../errors/model-error.ts'
import type { MemberDecoratorName, MemberRule } from '../metadata/member-rule.ts'
import type { EntityModel } from './entity-model.ts'

/** Which members of a class show what every entity has. */
export type SystemMembers = Pick<
  EntityModel<object>,
  'partitionKey' | 'rowKey' | 'etag' | 'timestamp'
>

/**
 * Finds the members that are keys, ETag and Timestamp.
 *
 * @throws {@link ModelError} when a key is missing, or a class has two of a kind
 */
export function systemMembers(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
): SystemMembers {
  return {
    partitionKey: theOne(className, members, 'PartitionKey'),
    rowKey: theOne(className, members, 'RowKey'),
    etag: findOne(className, members, 'ETag'),
    timestamp: findOne(className, members, 'Timestamp'),
  }
}

function theOne(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
  decorator: MemberDecoratorName,
): string {
  const member = findOne(className, members, decorator)
  if (member !== undefined) return member
  throw new ModelError({
    className,
    problem:
      `No member is the ${decorator}, and every entity needs one. Put @${decorator}() on a ` +
      'string property.',
  })
}

function findOne(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
  decorator: MemberDecoratorName,
): string | undefined {
  const found = [...members].filter(([, rule]) => rule.decorators.includes(decorator))
  const [one, other] = found.map(([member]) => member)
  if (other === undefined) return one
  throw new ModelError({
    className,
    property: other,
    problem:
      `@${decorator} stands on ${one} and ${other}. A class has one: keep one, and let a ` +
      'subclass say @Ignore() on the one it replaces.',
  })
}
