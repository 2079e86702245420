import { odata } from '@rowkey/data-tables'
import { expect, it } from 'vitest'

it.each([
  [odata`PartitionKey eq ${"O'Brien"}`, "PartitionKey eq 'O''Brien'"],
  [odata`PartitionKey eq '${"O'Brien"}'`, "PartitionKey eq 'O''Brien'"],
  [odata`n ge ${5} and yes eq ${true}`, 'n ge 5 and yes eq true'],
  [odata`big eq ${5n}`, 'big eq 5L'],
  [odata`n eq ${2147483647} or n eq ${-2147483648}`, 'n eq 2147483647 or n eq -2147483648'],
  [odata`n eq ${2147483648} or n lt ${-5e9}`, 'n eq 2147483648L or n lt -5000000000L'],
  [
    odata`n eq ${5e9}L and m eq '${5e9}' and d eq ${5e9}.0`,
    "n eq 5000000000L and m eq '5000000000' and d eq 5000000000.0",
  ],
  [odata`n eq ${1e20}`, 'n eq 100000000000000000000.0'],
  [odata`big eq ${5n}L and n eq ${6n}l`, 'big eq 5L and n eq 6l'],
  [odata`PartitionKey eq '${5n}' and RowKey eq '${6n}x'`, "PartitionKey eq '5' and RowKey eq '6x'"],
  [odata`on gt ${new Date(0)}`, "on gt datetime'1970-01-01T00:00:00.000Z'"],
  [odata`bytes eq ${Uint8Array.of(1, 255)}`, "bytes eq X'01ff'"],
  [odata`n eq ${{ type: 'Int64', value: '5' }}`, 'n eq 5L'],
  [
    odata`id eq ${{ type: 'Guid', value: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' }}`,
    "id eq guid'f47ac10b-58cc-4372-a567-0e02b2c3d479'",
  ],
  [odata`${"a eq 'b'"}`, "a eq ''b''"],
])('escapes values: %s', (text, expected) => {
  expect(text).toBe(expected)
})

it('rejects a value that its type cannot have as the value of the caller', () => {
  expect(() => odata`id eq ${{ type: 'Guid', value: 'nope' }}`).toThrow(
    'Property "value of odata": a string of 4 UTF-16 units is not a valid Guid.',
  )
})
