import { DynamicEntity } from '@rowkey/odata'
import type { QueryModel } from '../query-model.ts'
import type { RowLookup } from '../row-property.ts'
import type { KeyTemplate } from './key-template.ts'

/** What a stored name is made of in a row: itself, or the parts of a key that no property holds whole. */
export function sourcesOf({ keys }: QueryModel, name: string): readonly string[] {
  const template = templateOf(keys, name)
  if (template === undefined) return [name]
  return template.segments.flatMap((each) => (typeof each === 'string' ? [] : [each.property]))
}

/** The same lookup, which also finds keys that are made of parts. */
export function withKeys({ keys }: QueryModel, lookup: RowLookup): RowLookup {
  if (keys === undefined) return lookup
  return (row, name) => {
    const template = templateOf(keys, name)
    if (template === undefined || row instanceof DynamicEntity) return lookup(row, name)
    const texts = template.segments.map((each) =>
      typeof each === 'string' ? each : each.print(lookup(row, each.property)?.value),
    )
    return { type: 'String', value: texts.join('') }
  }
}

function templateOf(keys: QueryModel['keys'], name: string): KeyTemplate | undefined {
  if (name === 'PartitionKey') return keys?.partitionKey
  return name === 'RowKey' ? keys?.rowKey : undefined
}
