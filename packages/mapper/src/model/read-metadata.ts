import type { RegisteredConverter } from '../convert/registered-converter.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { type ClassRecord, type EntityRule, findRecord } from './class-record.ts'
import { type MemberRule, overrideRule } from './member-rule.ts'
import type { TypeMark } from './to-discriminator.ts'
import { VERSION_OPTION_NAMES } from './version-options.ts'

/** What the decorators of a class and its base classes say, taken together. */
export interface ClassMetadata {
  /** The table's name: the nearest one given. */
  readonly name: string | undefined
  /** How to make an instance, when the class's own `@Entity` says. */
  readonly create: (() => object) | undefined
  /**
   * A base class says how to make its instances, and this class does not say how to make its own.
   */
  readonly inheritsCreate: boolean
  /** How members make the PartitionKey: the nearest template given. */
  readonly partitionKey?: KeyCodec | undefined
  /** How members make the RowKey: the nearest template given. */
  readonly rowKey?: KeyCodec | undefined
  /** What entities are signed with: the nearest keys given. */
  readonly signing?: SigningKeys | undefined
  /** What was said with a schema: the nearest one given. */
  readonly schema?: EntityRule | undefined
  /** The converters of whole classes of values, the nearest first. */
  readonly converters?: readonly RegisteredConverter[] | undefined
  /** What marks its rows: the nearest given. */
  readonly discriminator?: TypeMark | undefined
  /** What was said with a version: the nearest one given. */
  readonly versioned?: EntityRule | undefined
  /** The rule of each member, base classes' first. */
  readonly members: ReadonlyMap<string, MemberRule>
}

/** Reads the records of a class and all its base classes; the nearest word wins. */
export function readMetadata(entityClass: object): ClassMetadata {
  const records = lineage(entityClass).map(findRecord)
  // The nearest first.
  const rules = records.flatMap((record) => record?.entity ?? []).reverse()
  const nearest = <Name extends keyof EntityRule>(name: Name): EntityRule[Name] =>
    rules.find((rule) => rule[name] !== undefined)?.[name]
  const own = records.at(-1)?.entity !== undefined
  const create = rules[0]?.create
  return {
    name: nearest('name'),
    create: own ? create : undefined,
    inheritsCreate: !own && create !== undefined,
    partitionKey: nearest('partitionKey'),
    rowKey: nearest('rowKey'),
    signing: nearest('signing'),
    schema: rules.find(({ schema }) => schema !== undefined),
    converters: rules.flatMap(({ converters }) => converters ?? []),
    discriminator: nearest('discriminator'),
    versioned: rules.find(saysVersion),
    members: memberRules(records),
  }
}

function memberRules(records: readonly (ClassRecord | undefined)[]): Map<string, MemberRule> {
  const members = new Map<string, MemberRule>()
  for (const record of records) {
    for (const [member, rule] of record?.members ?? []) {
      members.set(member, overrideRule(members.get(member), rule))
    }
  }
  return members
}

function saysVersion(rule: EntityRule): boolean {
  return VERSION_OPTION_NAMES.some((name) => rule[name] !== undefined)
}

/**
 * The class and its base classes, outermost base first. The constructors are walked rather than the
 * metadata objects, because not every compiler chains those.
 */
function lineage(entityClass: object): object[] {
  const classes: object[] = []
  for (
    let each: object | null = entityClass;
    typeof each === 'function' && each !== Function.prototype;
    each = Object.getPrototypeOf(each)
  ) {
    classes.unshift(each)
  }
  return classes
}
