import { storedNames } from '../member/stored-member.ts'
import type { EntityModel } from './entity-model.ts'

/** Returns the stored names of a model, without the keys and the type. */
export function declaredNames({ columns, signing, version }: EntityModel<object>): string[] {
  const names = columns.flatMap(storedNames)
  if (signing !== undefined) names.push(signing.property)
  if (version !== undefined) names.push(version.property)
  return names
}

/** Returns the stored names of a model and all earlier versions. */
export function declaredNamesOfAll(model: EntityModel<object>): Set<string> {
  const names = new Set<string>()
  for (let each: EntityModel<object> | undefined = model; each; each = each.version?.previous) {
    for (const name of declaredNames(each)) names.add(name)
  }
  return names
}
