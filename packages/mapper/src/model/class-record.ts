import type { RegisteredConverter } from '../convert/registered-converter.ts'
import { ModelError } from '../errors/model-error.ts'
import { type MemberRule, mergeRules, overlayRule, overrideRule } from './member-rule.ts'
import type { ModelOptions } from './model-options.ts'
import { versionRules } from './version-options.ts'

/** The options of `@Entity` of a class. */
export interface EntityRule extends ModelOptions {
  /** Makes a fresh instance, for a class whose constructor needs arguments. */
  readonly create?: (() => object) | undefined
  /** The converters of classes of values. */
  readonly converters?: readonly RegisteredConverter[] | undefined
  /** Whether each member must have a known stored type. */
  readonly strict?: boolean | undefined
}

/** The decorators of one class; each base class has its own record. */
interface ClassRecord {
  entity?: EntityRule
  readonly members: Map<string, MemberRule>
}

/** A metadata object: the one of standard decorators, or one made for legacy decorators. */
type Metadata = { [RECORD]?: ClassRecord }

/** A class, which may carry a metadata object. */
type Holder = { [METADATA]?: Metadata }

/** Shared by all copies of the package, so that its ESM and CommonJS builds read each other's records. */
const RECORD: unique symbol = Symbol.for('rowkey.record') as never

/**
 * `Symbol.metadata`, which Node does not have yet. It must exist before a decorated class is evaluated;
 * importing a decorator evaluates this module first. Compilers fall back to the same registered symbol.
 */
const METADATA: unique symbol = metadataSymbol() as never

function metadataSymbol(): symbol {
  // Only lib.esnext.decorators declares it, which the library does not target.
  const known = Symbol as { metadata?: symbol }
  if (known.metadata === undefined) {
    Object.defineProperty(Symbol, 'metadata', { value: Symbol.for('Symbol.metadata') })
  }
  return known.metadata ?? Symbol.for('Symbol.metadata')
}

/** Returns the record in a metadata object, made at first use. */
export function recordIn(metadata: object): ClassRecord {
  const holder: Metadata = metadata
  // The metadata object of a subclass inherits from that of its base, so only an own record counts.
  if (!Object.hasOwn(holder, RECORD)) holder[RECORD] = { members: new Map() }
  return holder[RECORD] as ClassRecord // made above
}

/** Returns the record of a class whose compiler does not make a metadata object, made at first use. */
export function recordOf(owner: object): ClassRecord {
  const holder: Holder = owner
  const known = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  if (known !== undefined) return recordIn(known)
  const value: Metadata = Object.create(holder[METADATA] ?? null)
  Object.defineProperty(holder, METADATA, { value, configurable: true, writable: true })
  return recordIn(value)
}

/** Returns the class's own record; `undefined` when the class has no decorators. */
export function findRecord(owner: object): ClassRecord | undefined {
  const holder: Holder = owner
  const metadata = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  return metadata && Object.hasOwn(metadata, RECORD) ? metadata[RECORD] : undefined
}

/** Tells whether a class, or one of its base classes, has decorators. */
export function isDecorated(owner: object): boolean {
  return lineage(owner).some((each) => findRecord(each) !== undefined)
}

/**
 * Tells whether a class has an `@Entity` of its own. A base class may have decorators without it, and other classes have none.
 *
 * @param value - the class
 *
 * @example
 * ```ts
 * if (isEntityClass(Customer)) models.push(modelOf(Customer))
 * ```
 */
export function isEntityClass(value: object): boolean {
  return findRecord(value)?.entity !== undefined
}

/**
 * Adds the rule of one decorator to a member's rule.
 *
 * @param merge - merges two rules of one member
 */
export function addRule(
  record: ClassRecord,
  member: string,
  rule: MemberRule,
  merge: (earlier: MemberRule | undefined, later: MemberRule) => MemberRule = mergeRules,
): void {
  record.members.set(member, merge(record.members.get(member), rule))
}

/** The part of a standard decorator's context that is used here. */
interface MemberContext {
  readonly name: string | symbol
  readonly static: boolean
  readonly private: boolean
  readonly metadata?: object | undefined
  addInitializer(initializer: (this: object) => void): void
}

/**
 * Records the rule of one decorator, however the class was compiled. Legacy decorators are called with
 * the prototype and the member's name, standard ones with a value and a context.
 *
 * @param target - the decorator's first argument
 * @param context - its second
 * @param rule - the rule of the decorator
 * @throws {@link ModelError} when the member is static, private or named by a symbol, or the compiler calls decorators in
 * another way
 */
export function recordMember(target: unknown, context: unknown, rule: MemberRule): void {
  if (isMemberContext(context)) {
    recordStandard(context, rule)
  } else if (typeof context === 'string' || typeof context === 'symbol') {
    recordLegacy(target as object, context, rule) // the arguments of legacy decorators
  } else {
    throw unknownCompiler(rule)
  }
}

/** Compilers of earlier proposals pass one descriptor, and some pass nothing. */
function unknownCompiler(rule: MemberRule): ModelError {
  return new ModelError({
    className: '',
    problem:
      `@${rule.decorators[0]} was compiled neither as a standard nor as a legacy decorator. ` +
      "Set \"experimentalDecorators\": true in tsconfig.json, version: '2023-11' in Babel's plugin or " +
      "decoratorVersion: '2022-03' in .swcrc, add rowkey() from 'rowkey/vite' to Vite, or use decorate().",
  })
}

/** Only standard decorators receive an object here. */
function isMemberContext(context: unknown): context is MemberContext {
  return typeof context === 'object' && context !== null
}

function recordStandard(context: MemberContext, rule: MemberRule): void {
  const name = checkMember('', context.name, context.static || context.private, rule)
  if (context.metadata !== undefined) {
    addRule(recordIn(context.metadata), name, rule)
    return
  }
  // Compilers of the 2022-03 proposal know the class only after it is constructed, which `modelOf` does.
  // Rules of base classes are then recorded for the subclass, which overrides them.
  context.addInitializer(function () {
    addRule(recordOf(this.constructor), name, rule, overlayRule)
  })
}

function recordLegacy(target: object, key: string | symbol, rule: MemberRule): void {
  const isStatic = typeof target === 'function'
  const owner = isStatic ? target : target.constructor
  const name = checkMember(owner.name, key, isStatic, rule)
  addRule(recordOf(owner), name, { ...rule, designType: designTypeOf(target, name) })
}

function checkMember(
  className: string,
  name: string | symbol,
  hidden: boolean,
  rule: MemberRule,
): string {
  if (typeof name === 'string' && !hidden) return name
  const decorator = `@${rule.decorators[0]}`
  throw new ModelError({
    className,
    property: String(name),
    problem:
      `${decorator} is on a static, private or symbol-named member. Move it to one of the public instance ` +
      'members with a plain name.',
  })
}

/** Returns the declared type, if the compiler emitted it and reflect-metadata is loaded. */
function designTypeOf(prototype: object, member: string): unknown {
  // Present only if reflect-metadata is loaded.
  const reflect = Reflect as {
    getMetadata?: (key: string, target: object, member: string) => unknown
  }
  return reflect.getMetadata?.('design:type', prototype, member)
}

/** The options of `@Entity` that come from the nearest class with them. */
type NearestRule =
  | 'name'
  | 'partitionKey'
  | 'rowKey'
  | 'signing'
  | 'discriminator'
  | 'lifetime'
  | 'createdAt'
  | 'updatedAt'
  | 'strict'
  | 'allowHotPartition'

/** The decorators of a class and its base classes, combined. */
export interface ClassMetadata extends Pick<EntityRule, NearestRule> {
  /** Makes an instance, from the class's own `@Entity`. */
  readonly create: (() => object) | undefined
  /** Whether a base class has `create` but this class does not. */
  readonly inheritsCreate: boolean
  /** The schema and its options, from the nearest class with a schema. */
  readonly schema?: EntityRule | undefined
  /** The converters of classes of values, the nearest first. */
  readonly converters?: readonly RegisteredConverter[] | undefined
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
    createdAt: nearest('createdAt'),
    updatedAt: nearest('updatedAt'),
    strict: nearest('strict'),
    allowHotPartition: nearest('allowHotPartition'),
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
    ([name, value]) => value !== undefined && Object.hasOwn(versionRules, name),
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
