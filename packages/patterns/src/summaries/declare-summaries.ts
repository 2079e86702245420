import { type Account, type EntityModel, keepRows, ModelError } from '@rowkey/mapper'
import { checkOptions } from '@rowkey/rest'
import { checkKeyTemplate, checkModel, checkRecord } from '../errors/check-arguments.ts'
import { checkBeginnings } from '../rows/check-beginnings.ts'
import { beginningOf } from '../rows/row-filter.ts'
import { SummaryRule } from './summary.ts'
import type { SummaryDefinition, SummaryDefinitions } from './summary-definition.ts'
import { SummaryKeeper } from './summary-keeper.ts'
import { SummaryTable } from './summary-table.ts'

/** The options of {@link Summaries.on}. */
export interface SummaryTableOptions {
  /** The table's name, when it is not the model's. */
  readonly name?: string | undefined
}

/** The summaries of a model, from {@link declareSummaries}. */
export class Summaries<Entity extends object, Name extends string> {
  readonly #model: EntityModel<object, object, object>
  readonly #rules: ReadonlyMap<string, SummaryRule>

  /** @internal */
  constructor(model: EntityModel<object, object, object>, rules: ReadonlyMap<string, SummaryRule>) {
    this.#model = model
    this.#rules = rules
  }

  /** Opens the summaries of one table. Nothing is sent. */
  on(account: Account, options: SummaryTableOptions = {}): SummaryTable<Entity, Name> {
    checkOptions(options, ['name'], 'summaries')
    const name = options.name ?? this.#model.name ?? ''
    return new SummaryTable({ model: this.#model, rules: this.#rules, account, name })
  }
}

/**
 * Declares counts and sums of the entities of a partition. From then on every write of the model's tables also updates
 * them, in the same transaction: single calls, batches, bulk writers, operations and `modify`. So a summary is right at
 * every moment, and one point read returns it.
 *
 * Call it next to the model, before the first `account.table`. When the table has rows already, run `rebuild` for each partition.
 *
 * @param model - the model
 * @param definitions - the summaries by their names
 * @throws ModelError when keys could be of two kinds, when a property is not stored, and after the first table of
 * the model was opened
 *
 * @example
 * ```ts
 * const summaries = declareSummaries(Employee, {
 *   staff: { rowKey: key`summary_staff`, sums: ['salary'] },
 *   byTitle: { rowKey: key`title_${'title'}` },
 * })
 * const { count, sums } = await summaries.on(account).get('staff', { department: 'Sales' })
 * ```
 */
export function declareSummaries<
  Entity extends object,
  Input extends object,
  Key extends object,
  const Definitions extends SummaryDefinitions<Entity>,
>(
  model: EntityModel<Entity, Input, Key>,
  definitions: Definitions & SummaryDefinitions<Entity>,
): Summaries<Entity, keyof Definitions & string> {
  checkModel(model, 'declareSummaries')
  checkRecord(definitions, 'declareSummaries')
  const given = model as EntityModel<object, object, object>
  const rules = new Map<string, SummaryRule>()
  for (const [name, definition] of Object.entries(definitions)) {
    // `where` is called with entities of this model only.
    rules.set(name, ruleOf(name, given, definition as SummaryDefinition))
  }
  const beginnings = Array.from(
    rules,
    ([name, { definition }]) => [name, beginningOf(definition.rowKey)] as const,
  )
  checkBeginnings(given, 'Summary', new Map(beginnings))
  keepRows(given, new SummaryKeeper(given, [...rules.values()]))
  return new Summaries(given, rules)
}

function ruleOf(
  name: string,
  model: EntityModel<object>,
  definition: SummaryDefinition,
): SummaryRule {
  checkOptions(definition, ['rowKey', 'sums', 'where'], `Summary ${name} of ${model.title}`)
  checkKeyTemplate(definition.rowKey, `summary ${name} of ${model.title}`)
  const { rowKey, sums = [] } = definition
  const known = new Map(model.columns.map((column) => [column.property, column]))
  const keyed = [...model.partitionKey.readable, ...model.rowKey.readable]
  const used: readonly string[] = [...rowKey.properties, ...sums]
  const wrong = used.find(
    (each) => !keyed.includes(each) && (!known.has(each) || known.get(each)?.encryption),
  )
  if (wrong === undefined) return new SummaryRule(name, model, definition)
  throw new ModelError({
    className: model.title,
    problem: `Summary ${name}: '${wrong}' is not a stored property of the model, or it is encrypted, and a summary would show it.`,
  })
}
