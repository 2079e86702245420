import { expect, it } from 'vitest'
import { urlOf } from '../../../packages/rest/src/observe/url-of.ts'
import { read } from '../people.ts'

it.each([
  ['', "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')"],
  [
    '$select=age',
    "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')?$select=age",
  ],
])('puts the query %j at the end', (query, url) => {
  expect(urlOf({ ...read, query })).toBe(url)
})
