import type { HttpRequest, HttpResponse } from '@rowkey/rest'

/** The properties of a row, without keys; `undefined` when the row does not exist. */
export type RowState = string | undefined

interface Version {
  readonly from: number
  readonly state: RowState
}

interface AppliedChange {
  readonly method: string
  readonly row: string
  readonly body: Record<string, unknown> | undefined
}

const PART =
  /\r\n(POST|PUT|PATCH|DELETE) \S*?\/(people\S*) HTTP\/1\.1\r\n[\s\S]*?\r\n\r\n(?:(\{.*\})\r\n)?/g
const ROW_KEY = /RowKey='([^']*)'/

/**
 * What the table must hold, from the requests that the service applied, one after another. It also counts how
 * often each call was applied, by the id that all of its attempts have.
 */
export class ServiceModel {
  /** How often the requests with each id were applied. */
  readonly #applied = new Map<string, number>()
  readonly #versions = new Map<string, Version[]>()
  readonly #now: () => number

  /** @param now - the moment */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Applies a request if the service did. */
  serve(request: HttpRequest, response: HttpResponse): void {
    if (request.method === 'GET' || !isApplied(response)) return
    const changes = changesIn(request)
    if (changes.length === 0) return
    const id = request.headers['x-ms-client-request-id'] ?? ''
    this.#applied.set(id, (this.#applied.get(id) ?? 0) + 1)
    for (const change of changes) this.#apply(change)
  }

  /** Counts how often a call was applied, by the ids of its requests. */
  appliedBy(ids: Iterable<string>): number {
    let applied = 0
    for (const id of ids) applied += this.#applied.get(id) ?? 0
    return applied
  }

  /** The state of every row that exists. */
  rows(): ReadonlyMap<string, string> {
    const rows = new Map<string, string>()
    for (const [row, versions] of this.#versions) {
      const state = versions.at(-1)?.state
      if (state !== undefined) rows.set(row, state)
    }
    return rows
  }

  /** Tells whether a row had a state at some moment from one time to another. */
  hadState(row: string, state: RowState, from: number, to: number): boolean {
    const versions = this.#versions.get(row) ?? []
    return [{ from: Number.NEGATIVE_INFINITY, state: undefined }, ...versions].some(
      (version, index, all) => {
        const end = all[index + 1]?.from ?? Number.POSITIVE_INFINITY
        return version.state === state && version.from <= to && end >= from
      },
    )
  }

  #apply({ method, row, body }: AppliedChange): void {
    const versions = this.#versions.get(row) ?? []
    const before = versions.at(-1)?.state
    if (method === 'POST' && before !== undefined) {
      throw new Error(`The service inserted ${row}, which exists.`)
    }
    const merged = method === 'PATCH' ? { ...JSON.parse(before ?? '{}'), ...body } : body
    versions.push({ from: this.#now(), state: merged && stateOf(merged) })
    this.#versions.set(row, versions)
  }
}

/** The state of a row, as text: its properties in order, without what the service adds. */
export function stateOf(raw: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(raw).filter(
    ([name]) => !['PartitionKey', 'RowKey', 'Timestamp'].includes(name) && !name.includes('odata.'),
  )
  return JSON.stringify(Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** A rejected transaction has the status 202 too; its part has the error. */
export function isApplied({ status, body }: HttpResponse): boolean {
  return status < 300 && !/^HTTP\/1\.1 [45]/m.test(body)
}

function changesIn({ method, path, body = '' }: HttpRequest): readonly AppliedChange[] {
  if (!path.endsWith('/$batch')) return [changeOf(method, path, body)].filter(isOfPeople)
  return [...body.matchAll(PART)]
    .map(([, verb = '', resource = '', json]) => changeOf(verb, resource, json))
    .filter(isOfPeople)
}

function changeOf(method: string, path: string, json: string | undefined): AppliedChange {
  const body = json ? (JSON.parse(json) as Record<string, unknown>) : undefined
  return { method, row: String(body?.RowKey ?? ROW_KEY.exec(path)?.[1]), body }
}

/** Markers and tables are not part of the model. */
function isOfPeople({ row }: AppliedChange): boolean {
  return row !== 'undefined' && !row.startsWith('~rk~op~')
}
