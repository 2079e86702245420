import { cliInputError, isUnion, modelsIn } from '@rowkey/cli'
import { type EntityModel, UnionType } from '@rowkey/mapper'
import type { DynamicEntity } from 'rowkey'
import type { TypeNames } from './wire.ts'

/** A type of rows, and its name. */
interface NamedType {
  readonly title: string
  readonly type: UnionType
}

/** The types of rows that a module declares. */
export class RowTypes {
  readonly #types: readonly NamedType[]

  /** @param models - the exports of a module: classes, models and unions; all others are ignored */
  constructor(models: Readonly<Record<string, unknown>> = {}) {
    const titles = new Map<EntityModel<object>, string>()
    for (const [name, value] of Object.entries(models)) {
      // Several models of one table have the same name; their exports differ.
      for (const model of modelsIn(value)) if (!isUnion(value)) titles.set(model, name)
    }
    const found = new Set(Object.values(models).flatMap(modelsIn))
    // Rows of all versions are of the newest one, which reads them.
    for (const { version } of [...found]) {
      for (let each = version?.previous; each !== undefined; each = each.version?.previous) {
        found.delete(each)
      }
    }
    this.#types = Array.from(found, (model) => {
      const type = new UnionType(model)
      return { title: titles.get(model) ?? type.label, type }
    })
  }

  /**
   * Loads the types of a module.
   *
   * @param models - its exports
   * @param path - the module, for the message
   * @throws InputError with the code `InvalidArgument` when it exports no model
   */
  static of(models: Readonly<Record<string, unknown>>, path: string): RowTypes {
    const types = new RowTypes(models)
    if (types.#types.length > 0) return types
    throw cliInputError(
      'InvalidArgument',
      `${path} exports no model. Export a class with @Entity, a model of defineEntity, or a union.`,
    )
  }

  /** The names of all types, for the page. */
  get names(): readonly TypeNames[] {
    return this.#types.map(({ title, type: { model } }) => ({
      title,
      table: model.name,
      partition: [...model.partitionKey.properties],
      row: [...model.rowKey.properties],
      names: model.columns.map(({ name, property }) => [name, property]),
    }))
  }

  /**
   * Finds the type of a row.
   *
   * @param row - the row
   * @param table - its table
   * @returns its name; `undefined` when the row belongs to none
   */
  kindOf(row: DynamicEntity, table: string): string | undefined {
    if (this.#types.length === 0) return undefined
    const raw = row.toJSON()
    const found = this.#types.find(
      ({ type }) => (type.model.name ?? table) === table && type.hasRow(raw),
    )
    return found?.title
  }
}
