import { type InputError, invalidOption } from '@rowkey/odata'

/** A `ReadableStream` of the web, which some browsers cannot iterate over. */
export interface WebStream<Item> {
  /** Returns what reads the stream. */
  getReader(): WebStreamReader<Item>
}

/** The reader of a {@link WebStream}. */
export interface WebStreamReader<Item> {
  /** Reads the next item. */
  read(): Promise<{
    /** Whether the stream has ended. */
    readonly done: boolean
    /** The item; absent at the end. */
    readonly value?: Item | undefined
  }>
  /** Releases the stream before its end. */
  cancel(): Promise<void>
}

/** The input of a bulk writer: an array, a generator, a stream of Node, a stream of the web. */
export type BulkInput<Item> = Iterable<Item> | AsyncIterable<Item> | WebStream<Item>

/** Reads items one by one, with the choice to stop in between. */
export interface InputReader<Item> {
  /** How many items there are, if the input has a length. */
  readonly length?: number | undefined
  /** Reads the next item. */
  next(): IteratorResult<Item> | PromiseLike<IteratorResult<Item>>
  /** Releases the input before its end; absent for one that is always read to its end. */
  close?(): void
}

/**
 * Opens an input.
 *
 * @param input - the caller's input
 * @param where - the call, for the message
 * @throws InputError with the code `InvalidOptionValue` for anything that cannot be iterated
 */
export function openInput<Item>(input: BulkInput<Item>, where: string): InputReader<Item> {
  const given: Partial<Iterable<Item> & AsyncIterable<Item> & WebStream<Item>> = Object(input)
  const iterator =
    given[Symbol.asyncIterator]?.() ?? given[Symbol.iterator]?.() ?? streamIterator(given)
  if (iterator === undefined || typeof input === 'string') throw notIterable(where)
  return {
    length: lengthOf(input),
    next() {
      const next = iterator.next()
      return 'then' in next ? next.then(checkedResult) : next
    },
    close: () => void closed(iterator),
  }
}

/** Rejects what is not an iterator's result, as a loop does. Otherwise the input might never end. */
function checkedResult<Result>(result: Result): Result {
  if (Object(result) === result) return result
  throw invalidOption(
    'next() of the input of a bulk write must return { done, value }. Use a generator.',
  )
}

/** Closes an input. Its errors change nothing: it is not read any more. */
async function closed(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // See above.
  }
}

/** Reads a stream that cannot be iterated over. */
function streamIterator<Item>(stream: Partial<WebStream<Item>>): AsyncIterator<Item> | undefined {
  const reader = stream.getReader?.()
  return (
    reader && {
      next: () => reader.read() as Promise<IteratorResult<Item>>,
      return: () => reader.cancel() as Promise<never>, // `closed` does not read the result
    }
  )
}

function lengthOf(input: unknown): number | undefined {
  const { length, size }: { readonly length?: unknown; readonly size?: unknown } = Object(input)
  const found = length ?? size
  return typeof found === 'number' ? found : undefined
}

function notIterable(where: string): InputError {
  return invalidOption(`${where} takes an array, a generator or a stream of entities.`)
}
