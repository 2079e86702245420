import {
  codecOf,
  type EntityModel,
  type KeyCodec,
  ModelError,
  type RowTransition,
} from '@rowkey/mapper'
import { checkEntityKey, type FilterNode, type RawEntity } from '@rowkey/odata'
import { checkKeyTemplate } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { checkBeginnings, checkOwnKey } from '../rows/check-beginnings.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'

/** The declaration of some groups. */
interface GroupsDefinition {
  /** What is kept for each group, for messages: `Summary`. */
  readonly kind: string
  /** The name that the caller gave. */
  readonly name: string
  readonly model: EntityModel<object, object, object>
  /** A fixed beginning, and the properties to group by. */
  readonly template: KeyCodec
  /** The other properties that the kept rows show. */
  readonly shown?: readonly string[]
}

/** Groups of entities that share the values of some properties. Each has a key, and rows that are kept for it. */
export class EntityGroups {
  /** What is kept for each group: `Summary`. */
  readonly kind: string
  /** The name that the caller gave. */
  readonly name: string
  /** A fixed beginning, and the properties to group by. */
  readonly template: KeyCodec
  /** The beginnings of the RowKeys of all kept rows. */
  readonly beginning: string
  readonly #model: EntityModel<object, object, object>

  /**
   * @param definition - the groups
   * @throws InputError or ModelError for a key that is not a template, and for properties that kept rows must not show
   */
  constructor({ kind, name, model, template, shown = [] }: GroupsDefinition) {
    checkKeyTemplate(template, `${kind.toLowerCase()} ${name} of ${model.title}`)
    this.kind = kind
    this.name = name
    this.template = template
    this.beginning = beginningOf(template)
    this.#model = model
    this.#checkShown([...template.properties, ...shown])
  }

  /** Returns the key of the group of a stored entity: see {@link EntityGroups.keyOf}. */
  keyOfRow(raw: RawEntity): string | undefined {
    return this.keyOf(codecOf(this.#model).read(raw))
  }

  /**
   * Returns the key of the group that an entity is in; `undefined` for an entity without a value to group by.
   *
   * @throws InputError for a value that no key can hold
   */
  keyOf(entity: object): string | undefined {
    const { properties } = this.template
    const values = properties.map((name): unknown => Reflect.get(entity, name))
    if (values.some((value) => value === undefined || value === null)) return undefined
    const group = this.template.print(entity)
    checkEntityKey({ partitionKey: '', rowKey: group })
    return group
  }

  #checkShown(properties: readonly string[]): void {
    const { columns, partitionKey, rowKey, title } = this.#model
    const plain = columns.filter(({ encryption }) => encryption === undefined)
    const known = new Set([
      ...plain.map(({ property }) => property),
      ...partitionKey.readable,
      ...rowKey.readable,
    ])
    const wrong = properties.find((each) => !known.has(each))
    if (wrong === undefined) return
    throw new ModelError({
      className: title,
      problem: `${this.kind} ${this.name}: '${wrong}' is not a stored property of the model, or it is encrypted, and the kept rows would show it. Use a stored property without encryption.`,
    })
  }
}

/** The rows that are kept for all groups of one declaration. */
export class GroupRows {
  /** The condition that the rows of the model meet, and the kept rows do not. */
  readonly others: FilterNode
  readonly #model: EntityModel<object, object, object>
  readonly #groups: readonly EntityGroups[]

  /**
   * @param model - the model
   * @param groups - its groups
   * @throws ModelError when a RowKey could be that of an entity and of a kept row, or of two kinds of kept rows
   */
  constructor(model: EntityModel<object, object, object>, groups: readonly EntityGroups[]) {
    const beginnings = groups.map(({ name, beginning }) => [name, beginning] as const)
    checkBeginnings(model, groups[0]?.kind ?? '', new Map(beginnings))
    this.#model = model
    this.#groups = groups
    this.others = rowFilter(
      model,
      groups.map(({ beginning }) => beginning),
    )
  }

  /** Tells whether stored names are those of some properties. */
  hasStored(names: ReadonlySet<string>, properties: readonly string[]): boolean {
    const { columns } = this.#model
    return columns.some(({ property, name }) => names.has(name) && properties.includes(property))
  }

  /**
   * Checks that writes do not store entities under RowKeys of kept rows.
   *
   * @throws InputError (`KeyInIndex`)
   */
  checkKeys(transitions: readonly RowTransition[]): void {
    for (const { key } of transitions) {
      for (const { kind, name, beginning } of this.#groups) {
        const kept = { kind: `the rows of ${kind.toLowerCase()} ${name}`, beginning }
        checkOwnKey(this.#model, key.rowKey, kept)
      }
    }
  }
}

/**
 * Finds a declaration by its name.
 *
 * @throws InputError (`InvalidPatternOption`) for an unknown name
 */
export function namedIn<Declared>(
  declared: ReadonlyMap<string, Declared>,
  name: unknown,
  { title, kind }: { readonly title: string; readonly kind: string },
): Declared {
  const found = declared.get(String(name))
  if (found !== undefined) return found
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `${title} has no ${kind} ${JSON.stringify(String(name))}. It has: ${[...declared.keys()].join(', ')}.`,
  })
}
