import type { DynamicEntity, EntityProperty } from 'rowkey'
import { cellText } from '../rows/cell-text.ts'
import { withoutControls } from '../shell/without-controls.ts'

/**
 * Lists what changes between two versions of a row, as a diff does.
 *
 * @param before - the stored row; absent when it is missing
 * @param after - the row that is to be stored; absent when it is to be deleted
 */
export function changedLines(
  before: DynamicEntity | undefined,
  after: DynamicEntity | undefined,
): readonly string[] {
  const names = new Set([...(before?.properties.keys() ?? []), ...(after?.properties.keys() ?? [])])
  return [...names].flatMap((name) => {
    const [old, fresh] = [before?.get(name), after?.get(name)]
    if (old !== undefined && fresh !== undefined && old.equals(fresh)) return []
    return [...line('-', name, old), ...line('+', name, fresh)]
  })
}

function line(sign: string, name: string, property: EntityProperty | undefined): readonly string[] {
  if (property === undefined) return []
  const text = `${sign} ${name}:${property.type}=${JSON.stringify(cellText(property))}`
  return [withoutControls(text)]
}
