import { type EntityModel, UnionType } from '@rowkey/mapper'
import type { DynamicEntity } from 'rowkey'
import { chosenQuery } from '../condition/query-options.ts'
import { cliInputError } from '../errors/codes.ts'
import { rangesOf, sweepRanges } from '../sweep/sweep-table.ts'
import type { RowTable } from '../target/open-account.ts'
import { exportsNamed, isUnion, type LoadedModels } from './load-model.ts'
import { modelsIn } from './models-in.ts'

/** A model with versions, in its newest one. */
export interface VersionedModel {
  /** What people call it: the export, or the discriminator or the title of a model of a union. */
  readonly title: string
  readonly model: EntityModel<object>
  /** The number of the newest version. */
  readonly newest: number
  /** The stored property with the number. */
  readonly property: string
  /** The types of all versions. */
  readonly types: readonly UnionType[]
}

/** How many rows of a model have which version, by number. */
export interface VersionCount {
  readonly model: VersionedModel
  /** When the count began: ISO 8601. */
  readonly countedAt: string
  readonly versions: ReadonlyMap<number, number>
  /** How many rows are of earlier versions than the newest. */
  readonly old: number
}

/**
 * Finds the models with versions in a module.
 *
 * @param models - its exports
 * @param name - only this export
 * @throws InputError with the code `InvalidArgument` for a module without one
 */
export function versionedModels(
  models: LoadedModels['models'],
  name: string | undefined,
): readonly VersionedModel[] {
  const named = exportsNamed(models, name)
  const titles = new Map<EntityModel<object>, string>()
  for (const [title, value] of named) {
    for (const model of modelsIn(value)) {
      if (!isUnion(value)) titles.set(model, title)
      else if (!titles.has(model)) titles.set(model, new UnionType(model).label)
    }
  }
  const earlier = new Set([...titles.keys()].flatMap((model) => chainOf(model).slice(1)))
  const found = [...titles].flatMap(([model, title]) => {
    if (model.version === undefined || earlier.has(model)) return []
    const { number: newest, property } = model.version
    const types = chainOf(model).map((each) => new UnionType(each))
    return [{ title, model, newest, property, types }]
  })
  if (found.length > 0) return found
  throw cliInputError('InvalidArgument', 'The module exports no model with a version.')
}

/** Returns a model and those of its earlier versions. */
function chainOf(model: EntityModel<object>): readonly EntityModel<object>[] {
  const previous = model.version?.previous
  return previous === undefined ? [model] : [model, ...chainOf(previous)]
}

/**
 * Counts the rows of each version of some models; a row without a number is of the first. It reads the whole table, and of each row only what
 * tells its type and its version.
 *
 * @param table - the table
 * @param models - the models
 * @param when - the time now, in ISO 8601, and the signal that cancels the requests
 */
export async function countVersions(
  table: RowTable,
  models: readonly VersionedModel[],
  { signal, countedAt }: { readonly signal: AbortSignal; readonly countedAt: string },
): Promise<readonly VersionCount[]> {
  const names = models.flatMap(({ property, types }) => [
    property,
    ...types.flatMap(({ model }) => model.discriminator?.property ?? []),
  ])
  const query = chosenQuery(table, { select: [...new Set(names)].join(',') })
  const ranges = await rangesOf(table, query, 8, signal)
  const found = models.map((model) => ({ model, versions: new Map<number, number>() }))
  const add = (row: DynamicEntity): void => {
    const raw = row.toJSON()
    const own = found.find(({ model }) => model.types.some((type) => type.hasRow(raw)))
    if (own === undefined) return
    const number = Number(row.get(own.model.property)?.value ?? 1)
    own.versions.set(number, (own.versions.get(number) ?? 0) + 1)
  }
  await sweepRanges({ query, concurrency: 8, signal }, ranges, async (rows) => rows.forEach(add))
  return found.map(({ model, versions }) => {
    const sorted = [...versions].sort(([one], [other]) => one - other)
    const old = sorted.reduce((sum, [at, rows]) => sum + (at < model.newest ? rows : 0), 0)
    return { model, countedAt, versions: new Map(sorted), old }
  })
}
