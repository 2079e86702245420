import type { QueryColumn, QueryModel } from '@rowkey/query'

/** Text with `;` after it, which it must not hold. */
export const textPart = (property: string) => ({
  property,
  order: 'ascending' as const,
  prefixes: true,
  print: String,
})

/** A number in so many digits. */
export const numberPart = (property: string, fixedLength: number) => ({
  property,
  order: 'ascending' as const,
  fixedLength,
  print: (value: unknown) => String(value).padStart(fixedLength, '0'),
})

/** A number of three digits, the greatest first. */
export const invertedPart = (property: string) => ({
  property,
  order: 'descending' as const,
  fixedLength: 3,
  print: (value: unknown) => String(999 - Number(value)).padStart(3, '0'),
})

const columns: readonly QueryColumn[] = [
  { property: 'state', name: 'state', type: 'String', inKey: true },
  { property: 'city', name: 'city', type: 'String', inKey: true },
  { property: 'no', name: 'no', type: 'Int32', inKey: true },
  { property: 'age', name: 'age', type: 'Int32', inKey: true },
  { property: 'line', name: 'line', type: 'Int32' },
  { property: 'name', name: 'name', type: 'String' },
]

/** Keys `${state};${city}` and `o_${no:4}${age inverted}${line:2}`, where `line` is stored as well. */
export const keyModel: QueryModel = {
  name: 'Person',
  column: (property) => columns.find((column) => column.property === property),
  keys: {
    partitionKey: { segments: [textPart('state'), ';', textPart('city')] },
    rowKey: {
      segments: [
        'o_',
        numberPart('no', 4),
        invertedPart('age'),
        { ...numberPart('line', 2), stored: true },
      ],
    },
  },
}
