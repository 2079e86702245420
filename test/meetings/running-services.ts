import { RunningService, type ServiceName, services } from './axes/services.ts'

/** One service of each kind, which all cells use. */
export class RunningServices {
  readonly #running = new Map<ServiceName, RunningService>()

  async start(): Promise<void> {
    for (const name of Object.keys(services) as ServiceName[]) {
      this.#running.set(name, await RunningService.start(services[name]))
    }
  }

  /** Returns the service of a kind. */
  of(name: ServiceName): RunningService {
    const running = this.#running.get(name)
    if (running === undefined) throw new Error(`${name} has not been started.`)
    return running
  }

  async close(): Promise<void> {
    for (const running of this.#running.values()) await running.close()
  }
}
