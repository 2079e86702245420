import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { wholeKey } from '../keys/key-codec.ts'
import type { EntityModel } from './entity-model.ts'
import type { MemberDecoratorName, MemberRule } from './member-rule.ts'
import type { ClassMetadata } from './read-metadata.ts'

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
  { members, partitionKey, rowKey }: Pick<ClassMetadata, 'members' | 'partitionKey' | 'rowKey'>,
): SystemMembers {
  return {
    partitionKey: keyOf(className, members, 'PartitionKey', partitionKey),
    rowKey: keyOf(className, members, 'RowKey', rowKey),
    etag: findOne(className, members, 'ETag'),
    timestamp: findOne(className, members, 'Timestamp'),
  }
}

/** The key that `@Entity` describes, or that a decorated member is. */
function keyOf(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
  decorator: 'PartitionKey' | 'RowKey',
  template: KeyCodec | undefined,
): KeyCodec {
  const member = findOne(className, members, decorator)
  if (template === undefined && member !== undefined) return wholeKey(member)
  if (template !== undefined && member === undefined) return template
  const option = decorator === 'RowKey' ? 'rowKey' : 'partitionKey'
  throw new ModelError({
    className,
    property: member,
    problem:
      member === undefined
        ? `No member is the ${decorator}, and every entity needs one. Put @${decorator}() on a ` +
          `string property, or describe it in @Entity({ ${option}: key\`…\` }).`
        : `@${decorator} stands here, and @Entity describes the ${decorator} by a template. Keep one.`,
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
