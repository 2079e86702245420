import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { wholeKey } from '../keys/key-codec.ts'
import type { EntityModel } from './entity-model.ts'
import type { MemberDecoratorName, MemberRule } from './member-rule.ts'
import type { ClassMetadata } from './read-metadata.ts'

/** The members of a class for the system properties of its entities. */
export type SystemMembers = Pick<
  EntityModel<object>,
  'partitionKey' | 'rowKey' | 'etag' | 'timestamp'
>

/**
 * Finds the members for keys, ETag and Timestamp.
 *
 * @throws {@link ModelError} when the class lacks a key or has a system property twice
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

/** Returns the template of a key, from `@Entity` or from the decorated member. */
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
        ? `The ${decorator} is missing; every entity needs one. Put @${decorator}() on a ` +
          `string property, or give a template in @Entity({ ${option}: key\`…\` }).`
        : `@${decorator} is on this member, but @Entity also has a template of the ${decorator}. Keep one.`,
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
      `@${decorator} is on ${one} and ${other}. A class can have one: keep one, and in a ` +
      'subclass put @Ignore() on the replaced member.',
  })
}
