import { type EntityModel, entityRows, keepRows, ModelError, type RowKeeper } from '@rowkey/mapper'

/** Why the rows of a model are written past its tables. */
interface Bypass {
  /** The function that declared it: `declareSeries`. */
  readonly declaration: string
  /** Why it cannot share a model, as the end of a sentence. */
  readonly reason: string
}

/** The functions that keep rows in step with a model. */
const keeping = new WeakMap<object, ReadonlySet<string>>()
/** The models whose rows are written past their tables. */
const bypassing = new WeakMap<object, Bypass>()

/**
 * Registers a keeper for all tables of a model: see `keepRows`.
 *
 * @param declaration - the function that the caller used, for messages
 * @param model - the model
 * @param keeper - plans what is stored with each write
 * @throws ModelError when rows of the model are written past its tables, or the first table of the model was opened
 */
export function keepFor(declaration: string, model: EntityModel<object>, keeper: RowKeeper): void {
  const bypass = bypassing.get(model)
  if (bypass !== undefined) throw notShared(model, bypass, declaration)
  keepRows(model, keeper)
  keeping.set(model, new Set([...(keeping.get(model) ?? []), declaration]))
}

/**
 * Records that rows of a model are written past its tables, so that no declaration can be kept with them.
 *
 * @param model - the model
 * @param bypass - the declaration that writes so, and why
 * @throws ModelError when a declaration is kept with the model, or its rows have a lifetime
 */
export function bypassFor(model: EntityModel<object>, bypass: Bypass): void {
  const declarations = [...(keeping.get(model) ?? [])]
  if (declarations.length > 0) throw notShared(model, bypass, declarations.join(' and '))
  if (entityRows(model) !== undefined) throw notShared(model, bypass, 'keepRows')
  if (model.lifetime !== undefined) throw notShared(model, bypass, 'the option lifetime')
  bypassing.set(model, bypass)
}

function notShared(
  { title }: EntityModel<object>,
  { declaration, reason }: Bypass,
  other: string,
): ModelError {
  return new ModelError({
    className: title,
    problem: `${declaration} and ${other} cannot share a model: ${reason} Use ${declaration} with a model of its own, whose keys differ.`,
  })
}
