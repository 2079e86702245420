/** The official client with its default options. */
import { AzureNamedKeyCredential, AzureSASCredential, TableClient } from '@azure/data-tables'
import { PAGE1K, PAGE10K, POINTS } from '../fixture.mjs'

export const name = '@azure/data-tables'

let points
let page1k
let page10k
let input
let batches

export async function init({ endpoint, account, key, token, entities }) {
  const credential =
    token === undefined ? new AzureNamedKeyCredential(account, key) : new AzureSASCredential(token)
  const open = (table) =>
    new TableClient(endpoint, table, credential, { allowInsecureConnection: true })
  points = open(POINTS)
  page1k = open(PAGE1K)
  page10k = open(PAGE10K)
  input = entities.map((entity) => ({
    ...entity,
    Score: { type: 'Double', value: entity.Score },
    Ref: { type: 'Guid', value: entity.Ref },
  }))
  batches = Array.from({ length: 10 }, (_, i) =>
    input.slice(i * 100, i * 100 + 100).map((entity) => ['create', entity]),
  )
}

export const insert = (i) => points.createEntity(input[i % 1000])

export function get(i) {
  const { partitionKey, rowKey } = input[i % 1000]
  return points.getEntity(partitionKey, rowKey)
}

export const upsertMerge = (i) => points.upsertEntity(input[i % 1000], 'Merge')

function remove(i) {
  const { partitionKey, rowKey } = input[i % 1000]
  return points.deleteEntity(partitionKey, rowKey)
}

export { remove as delete }

export const batch100 = async (i) => (await points.submitTransaction(batches[i % 10])).subResponses

export async function queryPage1000() {
  for await (const page of page1k.listEntities().byPage()) return page
}

export async function queryAll10k() {
  const all = []
  for await (const entity of page10k.listEntities()) all.push(entity)
  return all
}
