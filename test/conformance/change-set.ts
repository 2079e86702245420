import type { HttpResponse } from '@rowkey/rest'
import type { ScenarioTable } from './scenario.ts'
import type { Said } from './service-client.ts'

/** One change of a batch. */
export interface Change {
  readonly method: string
  /** The row's key; absent for an insert, whose body holds it. */
  readonly key?: readonly [string, string]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** One part of a batch's answer. */
export interface ChangeResponse {
  readonly status: number
  readonly body: string
}

/** Sends changes as one entity group transaction. */
export async function submit(
  { client, name }: ScenarioTable,
  ...changes: readonly Change[]
): Promise<{ readonly response: HttpResponse; readonly parts: readonly ChangeResponse[] }> {
  const { origin, basePath } = client.endpoint
  const base = `${origin}${basePath}/${name}`
  const written = changes.map((change) => `--changeset_1\r\n${printChange(change, base)}`).join('')
  const said: Said = {
    headers: { 'content-type': 'multipart/mixed; boundary=batch_1' },
    body: `--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n${written}--changeset_1--\r\n--batch_1--\r\n`,
  }
  const response = await client.send('POST', '/$batch', said)
  return { response, parts: partsOf(response) }
}

function printChange({ method, key, headers = {}, body }: Change, base: string): string {
  const address =
    key === undefined
      ? base
      : `${base}(PartitionKey='${encodeURIComponent(key[0])}',RowKey='${encodeURIComponent(key[1])}')`
  const lines = [
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    `${method} ${address} HTTP/1.1`,
    'Accept: application/json;odata=minimalmetadata',
    ...(body === undefined ? [] : ['Content-Type: application/json', 'Prefer: return-no-content']),
    ...Object.entries(headers).map(([header, text]) => `${header}: ${text}`),
    '',
    body === undefined ? '' : JSON.stringify(body),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function partsOf({ body }: HttpResponse): ChangeResponse[] {
  return body
    .split(/\r?\n(?=HTTP\/1\.1 )/)
    .slice(1)
    .map((text) => {
      const [head = '', rest = ''] = text.split(/\r?\n\r?\n(.*)/s)
      return { status: Number(head.split(' ')[1]), body: rest.split(/\r?\n--/)[0] ?? '' }
    })
}
