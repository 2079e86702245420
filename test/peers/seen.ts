import type { RestError } from '@azure/data-tables'

/** What a program can see of a call: its result without versions, times and ids, or its error. */
export async function seen(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return withoutVersions(await call())
  } catch (error) {
    const { statusCode, code, details, name } = error as RestError
    const { odataError } = (details ?? {}) as { odataError?: { code?: string } }
    // That of a transaction has no details there.
    return { name, statusCode, code: odataError?.code ?? code }
  }
}

const VARYING =
  /^(?:etag|timestamp|date|version|requestId|clientRequestId|odata\..*|.*Type|preferenceApplied|cacheControl|xContentTypeOptions)$/

export function withoutVersions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVersions)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value
  if (value instanceof Uint8Array) return [...value]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !VARYING.test(name) && member !== undefined)
      .map(([name, member]) => [name, withoutVersions(member)]),
  )
}

/** Reads all items of a list. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
