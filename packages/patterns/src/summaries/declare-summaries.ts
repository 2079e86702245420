import { type Account, type EntityModel, keepRows, ModelError } from '@rowkey/mapper'
import { checkOptions } from '@rowkey/rest'
import { checkFunction, checkModel, checkNames, checkRecord } from '../errors/check-arguments.ts'
import { modelTable } from '../rows/model-table.ts'
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
    const table = modelTable(this.#model, account, options, 'summaries')
    return new SummaryTable({ ...table, rules: this.#rules })
  }
}

/**
 * Declares counts and sums of the entities of a partition. From then on every write of the model's tables also updates
 * them, in the same transaction: single calls, batches, bulk writers, operations and `modify`. So a summary is right at
 * every moment, and one point read returns it.
 *
 * Call it next to the model, before the first write. When the table has rows already, run `rebuild` for each partition.
 *
 * @param model - the model
 * @param definitions - the summaries by their names
 * @throws ModelError when keys could be of two kinds, when a property is not stored
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
  keepRows(given, new SummaryKeeper(given, [...rules.values()]), 'declareSummaries')
  return new Summaries(given, rules)
}

function ruleOf(
  name: string,
  model: EntityModel<object, object, object>,
  definition: SummaryDefinition,
): SummaryRule {
  const place = `Summary ${name} of ${model.title}`
  checkOptions(definition, ['rowKey', 'sums', 'where'], place)
  const { sums, where } = definition
  if (sums !== undefined) checkNames(sums, `sums of ${place}`)
  if (where !== undefined) checkFunction(where, `where of ${place}`)
  const rule = new SummaryRule(name, model, definition)
  for (const property of sums ?? []) checkNumber(model, property, place)
  return rule
}

const NUMBERS: ReadonlySet<string | undefined> = new Set(['Int32', 'Int64', 'Double', undefined])

/** A converter may make a number of any stored value, and a class without types may store numbers. */
function checkNumber(
  model: EntityModel<object, object, object>,
  property: string,
  place: string,
): void {
  const column = model.columns.find((each) => each.property === property)
  if (column === undefined || column.converter !== undefined || NUMBERS.has(column.type)) return
  throw new ModelError({
    className: model.title,
    property,
    problem: `It is stored as ${column.type}, so ${place} cannot add it up. Name numbers or bigints in sums.`,
  })
}
