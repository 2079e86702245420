import type { HttpResponse } from '@rowkey/rest'
import type { Said, ServiceClient } from './service-client.ts'

/** A table of one scenario alone, which is empty when the scenario begins. */
export interface ScenarioTable {
  readonly client: ServiceClient
  readonly name: string
  /** Inserts an entity. */
  insert(partitionKey: string, rowKey: string, members?: object): Promise<HttpResponse>
  /** Sends a request to one row: its key stands in the URL. */
  row(method: string, key: readonly [string, string], said?: Said): Promise<HttpResponse>
  /** Queries the table. */
  query(options: string): Promise<HttpResponse>
}

/** One thing that every service of the protocol does. */
export interface Scenario {
  readonly title: string
  /** Why Azurite does not: the number of its deviation in the protocol's notes, and what it does. */
  readonly azuriteDiffers?: string
  /** Why it cannot run on an account that someone uses: what it changes or expects there. */
  readonly emulatorOnly?: string
  run(table: ScenarioTable): Promise<void>
}

/** Makes the table of a scenario. */
export async function createScenarioTable(
  client: ServiceClient,
  name: string,
): Promise<ScenarioTable> {
  await client.send('POST', '/Tables', { body: { TableName: name } })
  return {
    client,
    name,
    insert: (PartitionKey, RowKey, members = {}) =>
      client.send('POST', `/${name}`, { body: { PartitionKey, RowKey, ...members } }),
    row: (method, [partitionKey, rowKey], said) =>
      client.send(
        method,
        `/${name}(${keyText('PartitionKey', partitionKey)},${keyText('RowKey', rowKey)})`,
        said,
      ),
    query: (options) => client.send('GET', `/${name}()?${options}`),
  }
}

function keyText(name: string, value: string): string {
  return `${name}='${encodeURIComponent(value.replaceAll("'", "''"))}'`
}
