import { odata } from '@rowkey/data-tables'
import { expect, it } from 'vitest'

it.each([
  [odata`PartitionKey eq ${"O'Brien"}`, "PartitionKey eq 'O''Brien'"],
  [odata`PartitionKey eq '${"O'Brien"}'`, "PartitionKey eq 'O''Brien'"],
  [odata`n ge ${5} and yes eq ${true}`, 'n ge 5 and yes eq true'],
  [odata`big eq ${5n}`, 'big eq 5L'],
  [odata`on gt ${new Date(0)}`, "on gt datetime'1970-01-01T00:00:00.000Z'"],
  [odata`${"a eq 'b'"}`, "a eq ''b''"],
])('escapes values: %s', (text, expected) => {
  expect(text).toBe(expected)
})
