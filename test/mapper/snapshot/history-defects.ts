import { Operation } from '@rowkey/mapper'
import { InputError, parseEntityObject } from '@rowkey/odata'
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from '@rowkey/rest'
import type { Rule } from './history-checks.ts'
import type { AnyTable, Defect } from './history-services.ts'

/** A client with a deliberate defect, and the rule that it breaks. */
export interface BrokenClient extends Defect {
  readonly title: string
  readonly breaks: Rule
}

const KEYS: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey'])

type Members = Record<string, unknown>

/** A defect of what is done with requests. */
function sending(
  title: string,
  breaks: Rule,
  send: (
    request: HttpRequest,
    next: (request: HttpRequest) => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): BrokenClient {
  const transport =
    (whole: Transport): Transport =>
    (request, limits) =>
      send(request, (changed) => whole(changed, limits))
  return { title, breaks, transport }
}

const isMerge = ({ method }: HttpRequest) => method === 'PATCH'

/** A request whose body was changed. */
function withBody(request: HttpRequest, change: (members: Members) => Members): HttpRequest {
  const members = change({ ...parseEntityObject(request.body ?? '{}') })
  return { ...request, body: JSON.stringify(members) }
}

function dropLast(members: Members): Members {
  const last = Object.keys(members).findLast((name) => !KEYS.has(name))
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== last))
}

/** Remembers what was read of each row last. */
function sendingMore(): BrokenClient {
  const read = new Map<string, Members>()
  return sending('sends what it read last as well', 'untouched', async (request, next) => {
    const { path } = request
    const sent = isMerge(request)
      ? withBody(request, (body) => ({ ...read.get(path), ...body }))
      : request
    const response = await next(sent)
    if (request.method === 'GET' && response.status === 200 && path.includes('RowKey=')) {
      const members = Object.entries(parseEntityObject(response.body))
      const own = members.filter(
        ([name]) => !name.startsWith('odata.') && !name.startsWith('Timestamp'),
      )
      read.set(path, Object.fromEntries(own))
    }
    return response
  })
}

function misreading(): BrokenClient {
  return sending('reads a number that is not there', 'wrong read', async (request, next) => {
    const response = await next(request)
    if (request.method !== 'GET') return response
    return { ...response, body: response.body.replace(/"n":4/g, '"n":44') }
  })
}

/** Undeclared properties are lost where a row is read, so a keeper is shown less than what is stored. */
function readingLess(): BrokenClient {
  return sending('reads rows without a property', 'wrong plan', async (request, next) => {
    const response = await next(request)
    if (request.method !== 'GET') return response
    return { ...response, body: response.body.replace(/,"u":1/g, '') }
  })
}

type Write = (table: AnyTable, ...given: Parameters<AnyTable['merge']>) => Promise<object>

/** A defect of some methods of tables. */
function calling(
  title: string,
  breaks: Rule,
  broken: Partial<Record<'insert' | 'merge', Write>>,
): BrokenClient {
  return {
    title,
    breaks,
    table: (table) =>
      new Proxy(table, {
        get(target, name) {
          const write = name === 'insert' || name === 'merge' ? broken[name] : undefined
          if (write !== undefined) {
            return (...given: Parameters<AnyTable['merge']>) => write(target, ...given)
          }
          const member: unknown = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      }),
  }
}

/** Returns broken clients: at least one for each rule. */
export function brokenClients(): BrokenClient[] {
  return [
    sending('drops a property of a merge', 'not done', (request, next) =>
      next(isMerge(request) ? withBody(request, dropLast) : request),
    ),
    sendingMore(),
    sending('says that a merge is done without sending it', 'not done', async (request, next) =>
      isMerge(request)
        ? { status: 204, headers: { etag: `W/"datetime'2026-01-01T12%3A00%3A00Z'"` }, body: '' }
        : next(request),
    ),
    sending('says that an insert is done without sending it', 'not done', async (request, next) =>
      request.method === 'POST' && request.body?.startsWith('{"PartitionKey"') === true
        ? { status: 204, headers: { etag: `W/"datetime'2026-01-01T12%3A00%3A00Z'"` }, body: '' }
        : next(request),
    ),
    sending('overwrites concurrent changes', 'lost update', (request, next) => {
      const { 'if-match': condition, ...headers } = request.headers
      if (condition === undefined) return next(request)
      return next({ ...request, headers: { ...headers, 'if-match': '*' } })
    }),
    sending('takes the latest ETag for its own', 'lost update', async (request, next) => {
      const { headers, path } = request
      if (headers['if-match']?.startsWith('W/') !== true || !isMerge(request)) return next(request)
      const { 'if-match': _own, 'content-type': _type, ...shared } = headers
      const look: HttpRequest = {
        ...request,
        method: 'GET',
        path,
        body: undefined,
        headers: shared,
      }
      const { etag } = (await next(look)).headers
      return next(
        etag === undefined ? request : { ...request, headers: { ...headers, 'if-match': etag } },
      )
    }),
    sending('replaces without what the class does not declare', 'lost update', (request, next) => {
      if (request.method !== 'PUT') return next(request)
      const kept = ({ u: _u, v: _v, 'v@odata.type': _type, w: _w, ...rest }: Members) => rest
      return next(withBody(request, kept))
    }),
    sending(
      'says of a lost response that nothing was done',
      'untrue error',
      async (request, next) => {
        try {
          return await next(request)
        } catch (cause) {
          throw new TransportError({ message: 'nothing was done', mayHaveApplied: false, cause })
        }
      },
    ),
    sending(
      'says that a merge was refused which was done',
      'untrue error',
      async (request, next) => {
        const response = await next(request)
        return isMerge(request) && response.status === 204
          ? { status: 412, headers: { 'x-ms-error-code': 'UpdateConditionNotSatisfied' }, body: '' }
          : response
      },
    ),
    sending('says that a row is missing which is there', 'untrue error', async (request, next) => {
      const response = await next(request)
      return request.method === 'PATCH' && response.status === 412
        ? { status: 404, headers: { 'x-ms-error-code': 'ResourceNotFound' }, body: '' }
        : response
    }),
    sending('writes another row', 'wrong row', (request, next) =>
      next(
        isMerge(request)
          ? { ...request, path: request.path.replace("RowKey='a'", "RowKey='b'") }
          : request,
      ),
    ),
    misreading(),
    readingLess(),
    calling('replaces where it should insert', 'lost update', {
      insert: (table, entity, options) => table.insertOrReplace(entity, options),
    }),
    calling('goes past others where an ETag is missing', 'lost update', {
      merge: (table, entity, options) => mergeBy(async () => '*', table, entity, options),
    }),
    calling('takes the ETag of the row where its own is missing', 'foreign ETag', {
      merge: (table, entity, options) => mergeBy(storedEtag, table, entity, options),
    }),
    calling('rejects every merge', 'overcautious', {
      async merge() {
        throw new InputError({ code: 'MissingETag', message: 'too dangerous' })
      },
    }),
    calling('throws errors of its own insides', 'raw error', {
      async merge(_table, entity) {
        throw new TypeError(`cannot read properties of ${typeof entity}`)
      },
    }),
    calling('resolves a merge without a request to the service', 'not done', {
      merge: async (_table, entity) => entity,
    }),
  ]
}

/** Merges and, where the client rejects that for a missing ETag, merges again with another one. */
async function mergeBy(
  etagOf: (table: AnyTable, entity: Members) => Promise<string | undefined>,
  ...[table, entity, options]: Parameters<Write>
): Promise<object> {
  try {
    return await table.merge(entity, options)
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'MissingETag') throw error
    const etag = await etagOf(table, entity as Members)
    if (etag === undefined) throw error
    return table.merge(entity, { ...options, etag })
  }
}

async function storedEtag(table: AnyTable, entity: Members): Promise<string | undefined> {
  const { pk, rk, partitionKey = pk, rowKey = rk } = entity
  const read = Operation.retrieve(String(partitionKey), String(rowKey))
  const { etag } = (await table.execute(read)) as { readonly etag?: string }
  return etag
}
