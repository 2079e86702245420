import { localInputError } from '../../errors/codes.ts'

/** Takes the place of the listeners where a program cannot listen. */
export class Listeners {
  /** @throws InputError (`UnsupportedRuntime`) always */
  async start(): Promise<never> {
    throw localInputError({
      code: 'UnsupportedRuntime',
      message:
        'The embedded service cannot listen in a browser or a worker. Use its transport here, or listen on Node, Bun or Deno.',
    })
  }

  /** Does nothing. */
  async close(): Promise<void> {}
}
