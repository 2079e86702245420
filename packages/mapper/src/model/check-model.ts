import { checkPropertyName, inferEdmType, systemPropertyNames } from '@rowkey/odata'
import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import { checkAccessors } from './check-accessors.ts'
import { checkKeyParts } from './check-key-parts.ts'
import { checkMarks } from './check-marks.ts'
import { checkSecrets } from './check-secrets.ts'
import { storedNames } from './chunk-names.ts'
import type { Column, EntityModel } from './entity-model.ts'

/**
 * The most properties of an entity, besides its three system properties.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
const MAX_COLUMNS = 252

/**
 * Checks the stored names of a model, and that the values of a fresh instance can be stored.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkModel(model: EntityModel<object>, sample: object): void {
  const { title: className, columns } = model
  if (columns.length > MAX_COLUMNS) {
    throw new ModelError({
      className,
      problem:
        `The class stores ${columns.length} properties, but an entity can have at most ` +
        `${MAX_COLUMNS} besides its keys and Timestamp. Put @Ignore() on some, or store some ` +
        'together.',
    })
  }
  const byName = new Map<string, Column>()
  for (const column of columns) {
    checkStoredName(className, column)
    checkInitialValue(className, column, sample)
    for (const name of storedNames(column)) {
      const twin = byName.get(name)
      if (twin) throw sharedName(className, { column, twin, name })
      byName.set(name, column)
    }
  }
  checkAccessors(model, sample)
  checkKeyParts(model)
  checkSecrets(model)
  checkMarks(model)
}

function sharedName(
  className: string,
  { column, twin, name }: { column: Column; twin: Column; name: string },
): ModelError {
  const problem = `It is stored as '${name}', and so is ${twin.property}. Give one of them another name with @StoreAs.`
  return new ModelError({ className, property: column.property, problem })
}

function checkStoredName(className: string, { property, name }: Column): void {
  if (systemPropertyNames.has(name)) {
    throw new ModelError({
      className,
      property,
      problem:
        `The stored name '${name}' is reserved for the service. Put @${name}() on the member that ` +
        'shows it, or give this one another name with @StoreAs.',
    })
  }
  try {
    checkPropertyName(name)
  } catch (cause) {
    throw new ModelError({
      className,
      property,
      problem:
        `It cannot be stored as '${name}': ${cause instanceof Error ? cause.message : cause} ` +
        'Give it another name with @StoreAs, or put @Ignore() on it.',
      cause,
    })
  }
}

function checkInitialValue(className: string, { property, type }: Column, sample: object): void {
  const { value } = Object.getOwnPropertyDescriptor(sample, property) ?? {}
  if (type !== undefined || value === undefined || value === null) return
  if (inferEdmType(value) !== undefined) return
  throw new ModelError({
    className,
    property,
    problem:
      `A fresh instance has ${describeKind(value)} here, which no Edm type stores. Put ` +
      '@Ignore() on it, or store it as text or bytes.',
  })
}
