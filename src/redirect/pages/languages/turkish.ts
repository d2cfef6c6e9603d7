import type { VisitorTexts } from './texts.ts';

export const turkish: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Böyle bir kod yok',
  unknownTyped:
    'Bu adreste hiçbir şey yok. Adresi elle yazdıysanız her harfi baskıyla karşılaştırın.',
  unknownScanned: 'Kodu taradıysanız onu asanlara haber verin: kod silinmiş olabilir.',
  codeForm: 'Kodlar 8 harf ve rakamdan oluşur.',
  pausedTitle: 'Bu kod duraklatıldı',
  pausedBy: (business) => `${business} şimdilik kapattı.`,
  pausedByOwner: 'Sahibi şimdilik kapattı.',
  tryLater: 'Daha sonra yeniden deneyin.',
  blockedTitle: 'Bu kod engellendi',
  blockedText:
    'Bu sunucunun işletmecisi kodu kapattı. Hiçbir yere götürmez ve telefonunuz başka bir şey açmadı.',
  blockedAdvice: 'Daha önce sizden para veya parola istediyse kodu taradığınız yere bildirin.',
  stoppedTitle: 'Bu kod artık hiçbir yere götürmüyor',
  stoppedText: 'Sahibi bu hizmetten ayrıldı.',
  warningTitle: 'Bu site tehlikeli olabilir',
  flaggedByList: (list) =>
    `Bu kod, aldatıcı veya zararlı sitelerin “${list}” listesindeki bir adrese götürüyor. Liste yanılabilir.`,
  flaggedByOperator: 'Bu sunucunun işletmecisi bu adresi aldatıcı veya zararlı olarak işaretledi.',
  flaggedByService:
    'Bir güvenli gezinme hizmeti bu adresi aldatıcı veya zararlı olarak işaretledi. Yanılabilir.',
  testAddress: 'Bu, bunun gibi uyarılar için zararsız bir deneme adresidir.',
  ifUnsure: 'Emin değilseniz bu sayfayı kapatın.',
  continueAnyway: 'Yine de devam et',
  wholeAddress: 'Adresin tamamı',
  unavailableTitle: 'Birazdan yeniden deneyin',
  unavailableText: 'Bu kod şu anda bulunamıyor. Kodda ve telefonunuzda bir sorun yok.',
  errorTitle: 'Bir sorun oluştu',
  errorText: 'Bu sizin hatanız değil.',
  tryAgain: 'Yeniden dene',
  request: (id) => `İstek ${id}`,
  rootText: 'Hedefini değiştirebileceğiniz basılı QR kodlar.',
  signIn: 'Oturum aç',
  openPanel: 'Paneli aç',
  apiDocs: 'API belgeleri',
  rootScanned: (address) =>
    `Bir kod taradınız ve buraya mı geldiniz? Yeniden tarayın: ${address} sonrasında bir şey eksik.`,
  rootCode: 'Bu kod buraya götürür. Sizinkilerin nereye götüreceğine siz karar verirsiniz.',
};
