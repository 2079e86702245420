/** Rowkey as it is published (the built packages). */
import { connect as connectByDefault, SasCredential } from 'rowkey'
import { PAGE1K, PAGE10K } from '../fixture.mjs'
import { Point } from './point.mjs'

export const name = 'rowkey'

let account
let points
let page1k
let page10k
let input

/**
 * @param settings - the account with its key, or with `token`, a shared access signature; and another `connect`, such as that
 * of `rowkey/fetch`
 */
export async function init({
  endpoint,
  account: accountName,
  key,
  token,
  entities,
  connect = connectByDefault,
}) {
  account = connect(
    token === undefined
      ? `DefaultEndpointsProtocol=http;AccountName=${accountName};AccountKey=${key};TableEndpoint=${endpoint}`
      : { endpoint, credential: new SasCredential(token) },
  )
  points = account.table(Point)
  page1k = account.table(Point, PAGE1K)
  page10k = account.table(Point, PAGE10K)
  input = entities
}

/**
 * Makes a new object for an insert. An object that was written before would measure something else:
 * Rowkey compares it with what it wrote.
 */
const point = (i) => Object.assign(new Point(), input[i % 1000])

export const insert = (i) => points.insert(point(i))

export function get(i) {
  const { partitionKey, rowKey } = input[i % 1000]
  return points.get([partitionKey, rowKey])
}

export const upsertMerge = (i) => points.insertOrMerge(point(i))

function remove(i) {
  const { partitionKey, rowKey } = input[i % 1000]
  return points.delete([partitionKey, rowKey], { etag: '*' })
}

export { remove as delete }

export function batch100(i) {
  const first = (i % 10) * 100
  const batch = points.batch()
  for (let k = first; k < first + 100; k++) batch.insert(point(k))
  return batch.submit()
}

export async function queryPage1000() {
  for await (const page of page1k.query().allowTableScan().byPage()) return page.items
}

export const queryAll10k = () => page10k.query().allowTableScan().toArray()

export const close = () => account.close()
