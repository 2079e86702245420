import type { EdmType } from '@rowkey/odata'
import type { ColumnRule } from '../schema/column-rule.ts'

/** The decorators of members. */
export type MemberDecoratorName =
  | 'PartitionKey'
  | 'RowKey'
  | 'ETag'
  | 'Timestamp'
  | 'Property'
  | 'StoreAs'
  | TypeDecoratorName
  | 'Convert'
  | 'Json'
  | 'Text'
  | 'Blob'
  | 'Encrypted'
  | 'Plain'
  | 'Ignore'

/** The decorators for one Edm type. */
export type TypeDecoratorName = 'Int32' | 'Int64' | 'Double' | 'Guid' | 'DateTime' | 'Binary'

/** The decorators of members that are not stored as properties. */
const SYSTEM: readonly MemberDecoratorName[] = [
  'PartitionKey',
  'RowKey',
  'ETag',
  'Timestamp',
  'Ignore',
]

/** The decorators that define only how values are stored. */
const FORMS: readonly MemberDecoratorName[] = [
  'Int32',
  'Int64',
  'Double',
  'Guid',
  'DateTime',
  'Binary',
  'Convert',
  'Json',
  'Text',
  'Blob',
]

/** The decorators of one member, unchecked. */
export interface MemberRule extends Omit<ColumnRule, 'type'> {
  /** The decorators on the member, each once. */
  readonly decorators: readonly MemberDecoratorName[]
  /** The argument of `@Property`. */
  readonly type?: EdmType | undefined
  /** The argument of `@StoreAs`. */
  readonly storedName?: string | undefined
  /**
   * The decorators that define how its values are stored, as written: `@Property('Int64')`. Only one is
   * valid.
   */
  readonly forms?: readonly string[] | undefined
  /** The constructor that the compiler recorded as `design:type`, if any. */
  readonly designType?: unknown
  /** The conflict of two decorators of one class, for an error. */
  readonly conflict?: string | undefined
}

/** Adds the rule of a further decorator of the same class to a member's rule, and records conflicts. */
export function mergeRules(earlier: MemberRule | undefined, later: MemberRule): MemberRule {
  if (earlier === undefined) return later
  return overlayRule(
    { ...earlier, conflict: earlier.conflict ?? conflictOf(earlier, later) },
    later,
  )
}

function conflictOf(one: MemberRule, other: MemberRule): string | undefined {
  const differ = (name: 'storedName' | 'encryption' | 'converter') =>
    one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]
  if (differ('storedName')) {
    return `@StoreAs gives it two stored names, '${other.storedName}' and '${one.storedName}'`
  }
  if (differ('encryption')) return '@Encrypted gives it two sets of keys'
  if (differ('converter')) return `${one.forms?.[0]} gives it two converters`
  return undefined
}

/** Adds one rule to another; the later one wins. */
export function overlayRule(earlier: MemberRule | undefined, later: MemberRule): MemberRule {
  if (earlier === undefined) return later
  const said = Object.entries(later).filter(([, value]) => value !== undefined)
  return {
    ...earlier,
    ...Object.fromEntries(said),
    decorators: union(earlier.decorators, later.decorators),
    forms: union(earlier.forms, later.forms),
  }
}

function union<Item>(one: readonly Item[] = [], other: readonly Item[] = []): readonly Item[] {
  return [...new Set([...one, ...other])]
}

/**
 * Returns the rule of a member that a subclass declares again. The subclass adds to the rule of the base
 * class. `@Ignore` replaces that rule, and any other decorator replaces an `@Ignore` of the base class.
 */
export function overrideRule(base: MemberRule | undefined, own: MemberRule): MemberRule {
  const ignored = (rule: MemberRule) => rule.decorators.includes('Ignore')
  if (base === undefined || ignored(base) || ignored(own)) return own
  const isFormed = (own.forms ?? []).length > 0
  return overlayRule(isFormed ? withoutForm(base) : base, own)
}

/** Returns the decorators of a rule for members that are not stored as properties. */
export function systemDecorators({ decorators }: MemberRule): readonly MemberDecoratorName[] {
  return decorators.filter((decorator) => SYSTEM.includes(decorator))
}

/** Returns the decorators of a rule for a stored property. */
export function storedDecorators({ decorators }: MemberRule): readonly MemberDecoratorName[] {
  return decorators.filter((decorator) => !SYSTEM.includes(decorator))
}

/** Returns the rule without how values are stored; the name and the encryption stay. */
function withoutForm(rule: MemberRule): MemberRule {
  const decorators = rule.decorators.filter((decorator) => !FORMS.includes(decorator))
  return {
    ...rule,
    decorators,
    type: undefined,
    forms: undefined,
    converter: undefined,
    chunkType: undefined,
  }
}
