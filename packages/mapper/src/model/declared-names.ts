import { storedNames } from './chunk-names.ts'
import type { EntityModel } from './entity-model.ts'

/** Every name that a model stores something under, keys and type aside. */
export function declaredNames({ columns, signing, version }: EntityModel<object>): string[] {
  const names = columns.flatMap(storedNames)
  if (signing !== undefined) names.push(signing.property)
  if (version !== undefined) names.push(version.property)
  return names
}

/** The same of a model and all versions before it. */
export function declaredNamesOfAll(model: EntityModel<object>): Set<string> {
  const names = new Set<string>()
  for (let each: EntityModel<object> | undefined = model; each; each = each.version?.previous) {
    for (const name of declaredNames(each)) names.add(name)
  }
  return names
}
