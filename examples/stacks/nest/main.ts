import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module.ts'

const app = await NestFactory.create(AppModule, { logger: ['error'] })
app.enableShutdownHooks() // closes the account at SIGTERM
await app.listen(process.env.PORT ?? 3000)
console.log(await app.getUrl())
