import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { dovecotPath } from '../../../scripts/host/debianPackages.mjs';
import { atEnd } from '../../../scripts/tools/ending.mjs';
import { startGroup, stopGroup } from '../../../scripts/tools/processes.mjs';
import { run } from '../../../scripts/tools/run.mjs';
import { listens } from './listen.mjs';
import { until } from './until.mjs';

/** Starts an SMTP server on a free loopback port, which takes every mail and delivers none. */
export async function startSmtp() {
	const sent: ParsedMail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, _session, done) => {
			simpleParser(stream).then((mail) => {
				sent.push(mail);
				done();
			}, done);
		},
	});
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	const stop = async () => await new Promise<void>((resolve) => server.close(resolve));
	/** What n8n's credential for it holds. */
	const account = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { account, sent, stop };
}

/**
 * Starts Dovecot 2.3 (Debian: dovecot-imapd) on a free loopback port, with one mailbox that every name and
 * password opens. It opens no mailbox as root, so root runs it as Debian's user `mail`.
 */
export async function startImap(folder: string) {
	const isRoot = process.getuid?.() === 0;
	const user = isRoot ? 'mail' : userInfo().username;
	const [uid, gid, group] = await Promise.all(
		['-u', '-g', '-gn'].map(async (flag) => (await run('id', [flag, user], { cwd: '/' })).trim()),
	);
	rmSync(folder, { recursive: true, force: true });
	const mailbox = join(folder, 'mailbox');
	for (const path of [
		folder,
		mailbox,
		...['cur', 'new', 'tmp'].map((name) => join(mailbox, name)),
	]) {
		mkdirSync(path, { recursive: true });
		if (isRoot) chownSync(path, Number(uid), Number(gid));
	}
	const port = await getPort({ host: '127.0.0.1' });
	const config = join(folder, 'dovecot.conf');
	writeFileSync(
		config,
		`
base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'state')}
log_path = ${join(folder, 'dovecot.log')}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${mailbox}
# Instead of 30 s, if it learns nothing from the system.
mailbox_idle_check_interval = 1s
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
	);
	const as = isRoot ? ['runuser', '-u', user, '--'] : [];
	const [command = '', ...args] = [...as, dovecotPath, '-F', '-c', config];
	const server = startGroup(command, args, { cwd: '/', stdio: 'ignore' });
	const stop = async () => await stopGroup(server, 5000);
	atEnd(stop);
	await until('Dovecot listens', () => listens(port), 30);

	let received = 0;
	/** Puts a mail into the mailbox, as a mail server would. */
	const receive = async (mail: string) => {
		const name = `${Date.now()}.${received++}.localhost`;
		await writeFile(join(mailbox, 'tmp', name), mail);
		await rename(join(mailbox, 'tmp', name), join(mailbox, 'new', name));
	};
	/** Whether a client has opened the mailbox. */
	const isOpen = () => existsSync(join(mailbox, 'dovecot-uidlist'));
	/** What n8n's credential for it holds. */
	const account = { user: 'photos', password: 'photos', host: '127.0.0.1', port, secure: false };
	return { account, isOpen, receive, stop };
}
