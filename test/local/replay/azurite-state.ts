import { type RecordedExchange, type RecordedRequest, readRecording } from './recording.ts'

/**
 * Creates and fills tables between two recorded requests; keyed by the name of the second request.
 */
export const UNRECORDED_STATE: Readonly<Record<string, () => readonly RecordedRequest[]>> = {
  get: () => [
    table('Ops'),
    insert('Ops', rowOf('get')),
    insert('Ops', rowOf('get-quoted')),
    insert('Ops', rowOf('get-empty')),
  ],
  "filter: S eq 'apple'": () => [
    table('Qry'),
    ...rowsOf('query-plain').map((row) => insert('Qry', row)),
  ],
  'batch:insert3': () => [table('Bat'), table('Other')],
}

function table(name: string): RecordedRequest {
  return post('/devstoreaccount1/Tables', { TableName: name })
}

function insert(name: string, row: object): RecordedRequest {
  return post(`/devstoreaccount1/${name}`, row)
}

function post(path: string, body: object): RecordedRequest {
  return {
    method: 'POST',
    path,
    headers: {
      'x-ms-date': 'Fri, 20 Nov 2026 11:49:19 GMT',
      authorization: 'SharedKeyLite devstoreaccount1:<signature>',
      accept: 'application/json;odata=nometadata',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  }
}

/** Parses the recorded response to a request. */
function responseTo(name: string): { value?: object[] } {
  const exchange = readRecording('azurite').find((one: RecordedExchange) => one.name === name)
  const json = exchange?.response.body ?? ''
  return JSON.parse(
    json.replace(/"(\w+)":(-?\d+\.0)(?=[,}])/g, '"$1@odata.type":"Edm.Double","$1":$2'),
  )
}

const rowOf = (name: string): object => responseTo(name)

const rowsOf = (name: string): readonly object[] => responseTo(name).value ?? []
