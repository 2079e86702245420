import { type EntityModel, keepRows, ModelError } from '@rowkey/mapper'
import { aFunction, checkValue, milliseconds, required, wholeNumber } from '@rowkey/odata'
import { declareDerived } from '../derived/keeper.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, aDefinitionName, aModel, aRecord, aTemplate, names } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import type { Declared, ModelTable } from '../rows/model-table.ts'
import { declaredWithin } from '../rows/rows-within.ts'
import { SummaryRule } from './summary.ts'
import type {
  CheckedSummaries,
  SummaryDefinition,
  SummaryDefinitions,
} from './summary-definition.ts'
import { summaryKeeper } from './summary-keeper.ts'
import { type SummariesWithin, summaryRows } from './summary-rows.ts'
import { SummaryTable } from './summary-table.ts'

/** The options of {@link declareSummaries}. */
export interface SummariesOptions {
  /**
   * How often a write is planned and sent at most, when other programs change its summaries first.
   *
   * @defaultValue 10
   */
  readonly attempts?: number | undefined
  /**
   * Milliseconds for which a process may use the states that it read of everything that is derived from the rows of the model. Make it longer
   * than a write takes, retries included, and give all programs the same.
   *
   * @defaultValue `10_000`
   */
  readonly lease?: number | undefined
}

const summariesOptions = declarePattern<SummariesOptions>({
  attempts: aCount,
  lease: milliseconds,
})

const summaryDefinition = declarePattern<SummaryDefinition>({
  rowKey: required(aTemplate),
  sums: names,
  where: aFunction,
  revision: aCount,
  sameSince: aCount,
})

/**
 * Declares counts and sums of the entities of a partition. From then on every write of the model's tables also updates
 * them, in the same transaction: single calls, batches, bulk writers, operations and `modify`. So a summary is right at
 * every moment, and one request returns it.
 *
 * Call it next to the model, before the first write. When the table has rows already, {@link SummaryTable.build} makes the
 * summaries readable: a step of a deployment.
 *
 * @param model - the model
 * @param definitions - the summaries by their names
 * @param options - also `attempts`, for many writers at once
 * @throws ModelError when a property is not stored
 *
 * @example
 * ```ts
 * const summaries = declareSummaries(Employee, {
 *   staff: { rowKey: key`all`, sums: ['salary'] },
 *   byTitle: { rowKey: key`${'title'}` },
 * })
 * const { count, sums } = await summaries.on(account).get('staff', { department: 'Sales' })
 * ```
 */
export function declareSummaries<
  Entity extends object,
  Input extends object,
  Key extends object,
  const Definitions extends SummaryDefinitions<Entity>,
  Partition extends object = Partial<Key>,
>(
  model: EntityModel<Entity, Input, Key, Partition>,
  definitions: Definitions & SummaryDefinitions<Entity> & CheckedSummaries<Entity, Definitions>,
  options?: SummariesOptions,
): Declared<SummaryTable<Entity, Partition, Definitions>> &
  SummariesWithin<Entity, Definitions, Partition>
export function declareSummaries(
  model: EntityModel<object, object, object>,
  definitions: Readonly<Record<string, object>>,
  options: SummariesOptions = {},
): object {
  checkArgument(aModel, model, 'declareSummaries')
  checkArgument(aRecord, definitions, 'declareSummaries')
  summariesOptions.check(options, 'declareSummaries')
  const rules = new Map<string, SummaryRule>()
  for (const [name, definition] of Object.entries(definitions)) {
    // `where` is called with entities of this model only.
    rules.set(name, ruleOf(name, model, definition as SummaryDefinition))
  }
  const all = [...rules.values()]
  const catalogue = declareDerived(model, all, options.lease, 'declareSummaries')
  keepRows(model, summaryKeeper(all, catalogue, options.attempts), 'declareSummaries')
  const open = (table: ModelTable) =>
    new SummaryTable<object, object, Readonly<Record<string, object>>>({ table, rules, catalogue })
  return declaredWithin(model, 'summaries', open, summaryRows)
}

function ruleOf(
  name: string,
  model: EntityModel<object, object, object>,
  definition: SummaryDefinition,
): SummaryRule {
  const place = `Summary ${name} of ${model.title}`
  checkArgument(aDefinitionName, name, `The name of a summary of ${model.title}`)
  summaryDefinition.check(definition, place)
  const { sums, sameSince } = definition
  if (sameSince !== undefined) {
    const known = wholeNumber(1, model.version?.number)
    checkValue(sameSince, known, 'sameSince', place, invalidPatternOption)
  }
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
