// The Prometheus metric of mails, and a mailer that counts.
import { Counter, type Registry } from 'prom-client';
import type { Mailer } from './mailer.ts';

const MAIL_OUTCOMES = ['sent', 'refused', 'failed'] as const;
export type MailMetrics = { countMail(outcome: (typeof MAIL_OUTCOMES)[number]): void };

export function registerMailMetrics(registry: Registry): MailMetrics {
  const mails = new Counter({
    name: 'tributary_mails_total',
    help: 'Mails, by outcome: sent, rejected permanently by the mail server, or failed and retried by their job (this process)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of MAIL_OUTCOMES) mails.labels(outcome).inc(0); // so that an alert sees the first failure as an increase
  return { countMail: (outcome) => mails.labels(outcome).inc() };
}

export function countMails(mailer: Mailer, { countMail }: MailMetrics): Mailer {
  return {
    async send(mail) {
      try {
        const outcome = await mailer.send(mail);
        countMail(outcome);
        return outcome;
      } catch (error) {
        countMail('failed');
        throw error;
      }
    },
  };
}
