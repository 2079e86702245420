import type { RegisteredConverter } from '../convert/registered-converter.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { type ClassRecord, type EntityRule, findRecord } from './class-record.ts'
import { type MemberRule, overrideRule } from './member-rule.ts'
import type { Lifetime } from './row-lifetime.ts'
import type { TypeMark } from './to-discriminator.ts'
import { VERSION_OPTION_NAMES } from './version-options.ts'

/** The decorators of a class and its base classes, combined. */
export interface ClassMetadata {
  /** The table's name, from the nearest class with one. */
  readonly name: string | undefined
  /** Makes an instance, from the class's own `@Entity`. */
  readonly create: (() => object) | undefined
  /** Whether a base class has `create` but this class does not. */
  readonly inheritsCreate: boolean
  /** The template of the PartitionKey, from the nearest class with one. */
  readonly partitionKey?: KeyCodec | undefined
  /** The template of the RowKey, from the nearest class with one. */
  readonly rowKey?: KeyCodec | undefined
  /** The keys that sign entities, from the nearest class with keys. */
  readonly signing?: SigningKeys | undefined
  /** The schema and its options, from the nearest class with a schema. */
  readonly schema?: EntityRule | undefined
  /** The converters of classes of values, the nearest first. */
  readonly converters?: readonly RegisteredConverter[] | undefined
  /** The mark of its rows, from the nearest class with one. */
  readonly discriminator?: TypeMark | undefined
  /** The properties that say whether a row is live, from the nearest class with them. */
  readonly lifetime?: Lifetime | undefined
  /** The version and its options, from the nearest class with a version. */
  readonly versioned?: EntityRule | undefined
  /** The rule of each member; those of base classes come first. */
  readonly members: ReadonlyMap<string, MemberRule>
}

/** Reads the records of a class and all its base classes; the nearest one wins. */
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
    lifetime: nearest('lifetime'),
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
  return Object.entries(rule).some(
    ([name, value]) => value !== undefined && Object.hasOwn(VERSION_OPTION_NAMES, name),
  )
}

/**
 * Lists the base classes of a class and the class itself. It follows the constructors, because not every
 * compiler chains the metadata objects.
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
