import { localInputError } from '../../errors/codes.ts'

/** Takes the place of the durable store where a program has no folders. */
export class DurableStore {
  /** @throws InputError (`UnsupportedRuntime`) always */
  constructor() {
    throw localInputError({
      code: 'UnsupportedRuntime',
      message:
        'A folder for tables (the option data, or a file: target) needs Node, Bun or Deno. In a browser or a worker keep the tables in memory: leave data out, or use the target memory:.',
      details: { option: 'data' },
    })
  }
}
