import fc from 'fast-check'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { arbitraryName, arbitraryProperty } from '../../odata/arbitrary-values.ts'
import { anyText } from '../../support/any-text.ts'

const arbitraryText = fc.oneof(
  fc.constantFrom('open', 'sent', "it's", `*/ } \`\${x}\``, '\u2028', '"', '\\', 'a\nb'),
  anyText({ maxLength: 8 }),
)

/** Names that a class cannot have as they are, too. */
const arbitraryColumn = fc.oneof(
  arbitraryName,
  fc.constantFrom(
    'partitionKey',
    'rowKey',
    'etag',
    'timestamp',
    'class',
    'static',
    'Kind',
    'type',
    'constructor',
  ),
)

/** Keys without what the service rejects. */
const arbitraryKey = fc.oneof(
  fc.stringMatching(/^[a-z]{0,3}-?\d{0,4}$/),
  fc.constantFrom("o'brien", `\${x}`, '`', '*', 'ü', ' '),
)

/** A table: columns with one type, mixed types or few values, rows that lack some, and perhaps several types of rows. */
export const arbitraryTable: fc.Arbitrary<readonly DynamicEntity[]> = fc
  .record({
    columns: fc.uniqueArray(
      fc.record({
        name: arbitraryColumn,
        values: fc.oneof(
          fc.array(arbitraryProperty, { minLength: 1, maxLength: 6 }),
          fc.array(arbitraryText, { minLength: 1, maxLength: 3 }),
        ),
        isAlways: fc.boolean(),
      }),
      { selector: ({ name }) => name, maxLength: 8 },
    ),
    keys: fc.uniqueArray(fc.tuple(arbitraryKey, arbitraryKey), {
      selector: (key) => key.join('|'),
      minLength: 1,
      maxLength: 40,
    }),
    kinds: fc.option(
      fc.array(
        arbitraryText.filter((text) => text !== ''),
        { minLength: 2, maxLength: 3 },
      ),
    ),
    picks: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ columns, keys, kinds, picks }) =>
    keys.map(([partitionKey, rowKey], at) => {
      const pick = (column: number): number => picks[(at * 7 + column * 3) % picks.length] ?? 0
      const properties = columns.flatMap(
        ({ name, values, isAlways }, column): [string, EntityProperty][] => {
          if (!isAlways && pick(column) % 3 === 0) return []
          return [[name, EntityProperty.of(values[pick(column) % values.length])]]
        },
      )
      const kind = kinds?.[pick(9) % kinds.length]
      return new DynamicEntity(partitionKey, rowKey, [
        ...properties,
        ...(kind === undefined ? [] : [['EntityType', kind] as const]),
      ])
    }),
  )
